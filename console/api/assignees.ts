import type { z } from 'zod';
import type { AssigneesReply } from '#schemas/http/events/assignees.ts';
import type { Call } from './link/call.ts';

export type AssigneesData = Pick<z.output<typeof AssigneesReply>, 'users' | 'teams'>;
type Person = AssigneesData['users'][number];
type Team = Pick<AssigneesData['teams'][number], '_id' | 'name'>;
/** The assignee; null: none. */
export type Assignee = { readonly user: Person } | { readonly team: Team } | null;

export const findAssignees = (call: Call, search: string, signal?: AbortSignal): Promise<AssigneesData> =>
  call('GET /api/events/assignees', { query: { search }, signal });

/** Those with these ids, disabled ones too. */
export const findAssigned = (call: Call, ids: readonly string[], signal?: AbortSignal): Promise<AssigneesData> =>
  call('GET /api/events/assignees', { query: { ids: ids.join(',') }, signal });

/** Returns users who may assign roles. */
export const findAdministrators = (call: Call, signal?: AbortSignal): Promise<AssigneesData> =>
  call('GET /api/events/assignees', { query: { administers: 'true' }, signal });

interface Assigned {
  readonly status: 'open' | 'acknowledged' | 'resolved' | 'suppressed';
  readonly assignedTo?: { readonly _id: string } | null | undefined;
  readonly assignedTeam?: { readonly _id: string } | null | undefined;
}

/** Assigning acknowledges open events: the assignee knows of them. */
export const assignEvent = (call: Call, eventId: string, to: Assigned): Promise<unknown> => {
  const status = to.status === 'open' ? 'acknowledged' : to.status;
  const body = {
    status,
    ...(to.assignedTo !== undefined && { assignedTo: to.assignedTo?._id ?? null }),
    ...(to.assignedTeam !== undefined && { assignedTeam: to.assignedTeam?._id ?? null }),
  };
  return call('PATCH /api/events/{eventId}/status', { params: { eventId }, body });
};
