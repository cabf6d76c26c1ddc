import { Link, useNavigate } from '@tanstack/react-router';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Card } from '#console/pages/start/card.tsx';
import { DropPlace } from './file/drop-place.tsx';

/** Takes a list of what there is to the import, which looks at it first. */
export function KnownCard({ number }: { readonly number: number }) {
  const { handover } = useParts();
  const navigate = useNavigate();
  const mayScan = useMay('discovery.manage');
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    handover.give(file);
    void navigate({ to: '/import' });
  };
  return (
    <Card number={number} title="Say what you have">
      <p>
        With a list of your hosts and what depends on what, Faultline finds causes instead of coincidences. A dry run
        comes first; nothing is written before you say so.
      </p>
      <DropPlace choose="Choose a list" isSmall isMain={false} take={take} />
      <p>
        <Link to="/import">What a list may have in its columns</Link>
        {mayScan ? (
          <>
            , or <Link to="/discovery?tab=tokens">let a scanner say it instead</Link>
          </>
        ) : null}
      </p>
    </Card>
  );
}
