import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '#console/hooks/use-me.ts';
import { Card } from './card.tsx';

/** Leads to the import of what there is. */
export function KnownCard() {
  const mayScan = useMay('discovery.manage');
  return (
    <Card number={3} title="Say what you have">
      <p>
        With a list of your hosts and what depends on what, Faultline finds causes instead of coincidences. A dry run
        comes first; nothing is written before you say so.
      </p>
      <Button component={Link} to="/import" variant="default">
        Import a list
      </Button>
      {mayScan ? (
        <p>
          <Link to="/discovery?tab=tokens">Let a scanner say it instead</Link>
        </p>
      ) : null}
    </Card>
  );
}
