import type { z } from 'zod';
import type { ExplainReply } from '#schemas/http/events/explain-view.ts';
import type { GroupGraphBody, GroupMember, GroupMoment } from '#schemas/http/events/group-parts.ts';
import type { eventsPagination } from '#schemas/http/paging.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

export type MemberData = z.output<typeof GroupMember>;
export type MomentData = z.output<typeof GroupMoment>;
export type GroupGraphData = z.output<typeof GroupGraphBody>;
export type Explained = z.output<typeof ExplainReply>;

interface MembersPage {
  readonly members: readonly MemberData[];
  readonly pagination: z.output<typeof eventsPagination>;
}
export interface TimelinePage {
  readonly timeline: readonly MomentData[];
  readonly nextCursor: string | null;
  readonly truncated: boolean;
}

export const readMembers = (call: Call, id: string, query: AddressQuery, signal?: AbortSignal): Promise<MembersPage> =>
  call('GET /api/events/groups/{correlationId}/members', { params: { correlationId: id }, query, signal });

export const readTimeline = (
  call: Call,
  id: string,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<TimelinePage> =>
  call('GET /api/events/groups/{correlationId}/timeline', { params: { correlationId: id }, query, signal });

export const readGraph = async (
  call: Call,
  id: string,
  limit: number,
  signal?: AbortSignal,
): Promise<GroupGraphData> => {
  const asked = { params: { correlationId: id }, query: { limit }, signal };
  return (await call<{ readonly graph: GroupGraphData }>('GET /api/events/groups/{correlationId}/graph', asked)).graph;
};

/** Explains why two events are, or are not, in one group. */
export const explain = (call: Call, one: string, other: string, signal?: AbortSignal): Promise<Explained> =>
  call('GET /api/events/{eventId}/explain', { params: { eventId: one }, query: { with: other }, signal });
