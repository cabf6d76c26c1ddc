import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { Panel } from '#console/frame/panel.tsx';
import { useRead } from '#console/hooks/use-read.ts';
import { openProposalsOf } from './api.ts';
import { ProposalTable } from './proposal-table.tsx';
import * as text from './texts.ts';

/** Proposed relationships of the CI; absent where there is none. */
export function ProposalsPanel({ ci }: { readonly ci: CiFacts }) {
  const found = useRead(['proposals', 'of', ci._id], async (call, signal) => {
    const [from, to] = await Promise.all([
      openProposalsOf(call, { source: ci._id }, signal),
      openProposalsOf(call, { target: ci._id }, signal),
    ]);
    return [...from.relationships, ...to.relationships];
  });
  if (found.data === undefined || found.data.length === 0) return null;
  return (
    <Panel title={text.proposedRelationships}>
      <ProposalTable proposals={found.data} />
    </Panel>
  );
}
