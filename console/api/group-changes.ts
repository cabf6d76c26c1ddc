import type { z } from 'zod';
import type { OperationReply } from '#schemas/http/events/group-operations.ts';
import type { Call } from './link/call.ts';

const at = (id: string) => ({ correlationId: id });

/** Actions on several groups, and on events in none, at once. */
const OPERATIONS = {
  acknowledge: 'POST /api/events/groups/acknowledge',
  unacknowledge: 'POST /api/events/groups/unacknowledge',
  resolve: 'POST /api/events/groups/resolve',
  reopen: 'POST /api/events/groups/reopen',
  assign: 'POST /api/events/groups/assign',
} as const;
export type GroupAct = keyof typeof OPERATIONS;
export type OperationDone = z.output<typeof OperationReply>;

export interface OperationInput {
  readonly notes?: string;
  readonly resolutionCategory?: string;
  /** Set for `assign`: null removes it, an absent field stays. */
  readonly user_id?: string | null;
  readonly team_id?: string | null;
}

export const operateGroups = (
  call: Call,
  verb: GroupAct,
  ids: readonly string[],
  wish: OperationInput = {},
): Promise<OperationDone> => call<OperationDone>(OPERATIONS[verb], { body: { ids, ...wish } });

export const undoOperation = (call: Call, operationId: string): Promise<OperationDone> =>
  call<OperationDone>('POST /api/events/groups/undo', { body: { operationId } });

export const noteGroup = (call: Call, id: string, text: string): Promise<unknown> =>
  call('POST /api/events/groups/{correlationId}/notes', { params: at(id), body: { text } });

export interface Judgement {
  readonly cause: 'right' | 'wrong' | 'unknown';
  readonly members: 'right' | 'too_many' | 'too_few';
  readonly rootEventId?: string;
  readonly note?: string;
}

export const judgeGroup = (call: Call, id: string, verdict: Judgement): Promise<unknown> =>
  call('PUT /api/events/groups/{correlationId}/verdict', { params: at(id), body: verdict });

/** Puts the groups of some events together with that of the first; the id of the whole. */
export const mergeGroups = async (
  call: Call,
  primary: string,
  others: readonly string[],
  reason: string,
): Promise<string> => {
  const body = { primaryEventId: primary, relatedEventIds: others, ...(reason !== '' && { reason }) };
  return (await call<{ readonly correlationId: string }>('POST /api/events/correlate', { body })).correlationId;
};

/** Members leave; two or more found a group of their own, whose id is returned. */
export const splitGroup = async (
  call: Call,
  id: string,
  eventIds: readonly string[],
  reason: string,
): Promise<string | null> => {
  const asked = { params: at(id), body: { eventIds, reason } };
  const reply = await call<{ readonly correlationId: string | null }>(
    'POST /api/events/groups/{correlationId}/split',
    asked,
  );
  return reply.correlationId;
};
