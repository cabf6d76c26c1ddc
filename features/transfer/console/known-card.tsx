import { Link, useNavigate } from '@tanstack/react-router';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Card } from '#console/pages/get-started/card.tsx';
import { DropPlace } from './file/drop-place.tsx';
import * as text from './texts.ts';

/** Passes a list of known objects to the import, which previews it first. */
export function KnownCard({ number }: { readonly number: number }) {
  const { pageTransfer } = useAppServices();
  const navigate = useNavigate();
  const mayScan = useMay('discovery.manage');
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    pageTransfer.give(file);
    void navigate({ to: '/import' });
  };
  return (
    <Card number={number} title={text.importYourCis}>
      <p>{text.importYourCisHelp}</p>
      <DropPlace choose={text.chooseFile} isSmall isMain={false} take={take} />
      <p>
        <Link to="/import">{text.fileFormat}</Link>
        {mayScan ? (
          <>
            {' '}
            {text.orText} <Link to="/discovery?tab=tokens">{text.setUpDiscovery}</Link>
          </>
        ) : null}
      </p>
    </Card>
  );
}
