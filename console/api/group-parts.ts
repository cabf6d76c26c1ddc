import type { z } from 'zod';
import type { ExplainReply } from '#schemas/http/events/explain-view.ts';
import type { GroupGraphBody, GroupMember, GroupMoment } from '#schemas/http/events/group-parts.ts';
import type { eventsPagination } from '#schemas/http/paging.ts';
import type { Query } from './link/address.ts';
import type { Call } from './link/call.ts';

export type Member = z.output<typeof GroupMember>;
export type Moment = z.output<typeof GroupMoment>;
export type Graph = z.output<typeof GroupGraphBody>;
export type Explained = z.output<typeof ExplainReply>;

interface MembersPage {
  readonly members: readonly Member[];
  readonly pagination: z.output<typeof eventsPagination>;
}
export interface TimelinePage {
  readonly timeline: readonly Moment[];
  readonly nextCursor: string | null;
  readonly truncated: boolean;
}

export const readMembers = (call: Call, id: string, query: Query, signal?: AbortSignal): Promise<MembersPage> =>
  call('GET /api/events/groups/{correlationId}/members', { params: { correlationId: id }, query, signal });

export const readTimeline = (call: Call, id: string, query: Query, signal?: AbortSignal): Promise<TimelinePage> =>
  call('GET /api/events/groups/{correlationId}/timeline', { params: { correlationId: id }, query, signal });

export const readGraph = async (call: Call, id: string, limit: number, signal?: AbortSignal): Promise<Graph> => {
  const asked = { params: { correlationId: id }, query: { limit }, signal };
  return (await call<{ readonly graph: Graph }>('GET /api/events/groups/{correlationId}/graph', asked)).graph;
};

/** Why two events are, or are not, in one group. */
export const explain = (call: Call, one: string, other: string, signal?: AbortSignal): Promise<Explained> =>
  call('GET /api/events/{eventId}/explain', { params: { eventId: one }, query: { with: other }, signal });
