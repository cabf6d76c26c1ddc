import type { Call } from './link/call.ts';

const at = (id: string) => ({ correlationId: id });

/** The assignee of a group; null removes it, an absent field stays. */
export const assignGroup = (
  call: Call,
  id: string,
  to: { readonly user_id?: string | null; readonly team_id?: string | null },
): Promise<unknown> => call('PUT /api/events/groups/{correlationId}/assignee', { params: at(id), body: to });

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
