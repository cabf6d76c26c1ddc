import type { UseQueryResult } from '@tanstack/react-query';
import type { Proposals } from '#console/api/cmdb/proposals.ts';
import { ProposalTable } from '#console/cis/proposal-table.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/words/counts.ts';
import classes from './discovery.module.css';

/** Relationships that connections and incidents suggest. */
export function ProposalsTab({ proposals }: { readonly proposals: UseQueryResult<Proposals> }) {
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
              <p className={classes.dim}>
                Showing the first {relationships.length} of {number(pagination.total)}.
              </p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
