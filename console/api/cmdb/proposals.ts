import type { z } from 'zod';
import type { AiRelationshipsBody } from '#schemas/http/ai/proposals.ts';
import type { Call } from '../link/call.ts';

type Proposals = z.output<typeof AiRelationshipsBody>;
/** A relationship that AI proposes. */
export type Proposal = Proposals['relationships'][number];

/** As many as a page of them may have. */
const MOST = 100;

/** Those that wait for somebody to decide, the oldest first. */
export const openProposals = (call: Call, signal?: AbortSignal): Promise<Proposals> =>
  call('GET /api/cmdb/ai-relationships', { query: { status: 'open', limit: MOST }, signal });

export const acceptProposal = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/cmdb/ai-relationships/{id}/accept', { params: { id } });

export const refuseProposal = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/cmdb/ai-relationships/{id}', { params: { id } });
