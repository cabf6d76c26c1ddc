import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { CsvPage } from '#console/data/csv/csv.ts';
import type { AiRelationshipsBody, DecidedProposals } from '#features/proposals/schemas/proposals.ts';

export type Proposals = z.output<typeof AiRelationshipsBody>;
/** A relationship that AI proposes. */
export type Proposal = Proposals['relationships'][number];

/** Page size limit. */
const MOST = 100;

export interface ProposalsOf {
  readonly source?: string;
  readonly target?: string;
}
/** Open ones with this end, the oldest first. */
export const openProposalsOf = (call: Call, of: ProposalsOf, signal?: AbortSignal): Promise<Proposals> =>
  call('GET /api/cmdb/ai-relationships', { query: { status: 'open', limit: MOST, ...of }, signal });

export type ProposalsDecision = z.output<typeof DecidedProposals>;
export const decideProposals = (
  call: Call,
  body: { readonly accept: readonly string[]; readonly reject: readonly string[] },
): Promise<ProposalsDecision> => call('POST /api/cmdb/ai-relationships/decide', { body });

/** Lists undecided proposals, oldest first. */
export const openProposals = (call: Call, signal?: AbortSignal): Promise<Proposals> =>
  call('GET /api/cmdb/ai-relationships', { query: { status: 'open', limit: MOST }, signal });

/** The same, page by page. */
export const proposalsFile = async (call: Call, cursor: string | undefined): Promise<CsvPage<Proposal>> => {
  const page = Number(cursor ?? 1);
  const query = { status: 'open', limit: MOST, page };
  const { relationships, pagination } = await call<Proposals>('GET /api/cmdb/ai-relationships', { query });
  return { data: relationships, pagination: { nextCursor: page < pagination.pages ? String(page + 1) : null } };
};

export const acceptProposal = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/cmdb/ai-relationships/{id}/accept', { params: { id } });

export const rejectProposal = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/cmdb/ai-relationships/{id}', { params: { id } });

/** The query of a page that lists them. */
export const waiting = (call: Call) => ({
  queryKey: ['proposals', 'open'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => openProposals(call, signal),
});
