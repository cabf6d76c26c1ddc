import { useQuery } from '@tanstack/react-query';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/words/counts.ts';
import { waiting } from './api.ts';
import classes from './proposal-table.module.css';
import { ProposalTable } from './proposal-table.tsx';

/** Relationships that connections and incidents suggest. */
export function ProposalsTab() {
  const proposals = useQuery(waiting(useParts().call));
  return (
    <Region query={proposals} what="Proposals" skeleton={<Skeleton rows={6} height={44} />}>
      {({ relationships, pagination }) =>
        relationships.length === 0 ? (
          <Notice title="No proposals">
            Relationships that Faultline finds in connections and incidents are listed here until somebody accepts or
            rejects them.
          </Notice>
        ) : (
          <>
            <ProposalTable proposals={relationships} />
            {pagination.total > relationships.length ? (
              <p className={classes.rest}>
                Showing the first {relationships.length} of {number(pagination.total)}.
              </p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
