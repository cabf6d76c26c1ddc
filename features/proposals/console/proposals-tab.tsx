import { useQuery } from '@tanstack/react-query';
import { fieldsOf } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { proposalsFile, waiting } from './api.ts';
import classes from './proposal-table.module.css';
import { PROPOSAL_COLUMNS, ProposalTable } from './proposal-table.tsx';
import * as text from './texts.ts';

/** Relationships that connections and incidents suggest. */
export function ProposalsTab() {
  const proposals = useQuery(waiting(useAppServices().call));
  return (
    <Region query={proposals} what={nouns.proposals} skeleton={<Skeleton rows={6} height={44} />}>
      {({ relationships, pagination }) =>
        relationships.length === 0 ? (
          <Notice title={text.noProposals}>{text.noProposalsHint}</Notice>
        ) : (
          <>
            <ExportButton name="proposals" fields={fieldsOf(PROPOSAL_COLUMNS)} read={proposalsFile} />
            <ProposalTable proposals={relationships} />
            {pagination.total > relationships.length ? (
              <p className={classes.rest}>{text.showing(relationships.length, number(pagination.total))}</p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
