import type { z } from 'zod';
import { undoOperation } from '#console/api/group-changes.ts';
import type { Call } from '#console/api/link/call.ts';
import { setStatus } from '#console/api/status.ts';
import type { Status } from '#domain/event/event.ts';
import type { ActivityBody, InboxBody, InboxRulesBody, InboxRulesReply } from '#features/inbox/schemas/inbox.ts';

export type InboxData = z.output<typeof InboxBody>;
export type InboxEntry = InboxData['items'][number];
export type InboxRulesData = z.output<typeof InboxRulesReply>;
export type InboxRulesDraft = z.output<typeof InboxRulesBody>;

export type OwnAction = z.output<typeof ActivityBody>[number];

/** Key of the inbox in the cache. */
export const INBOX = ['inbox'] as const;
export const RULES = ['inbox-rules'] as const;

export const readInbox = async (call: Call, signal?: AbortSignal): Promise<InboxData> =>
  (await call<{ readonly data: InboxData }>('GET /api/inbox', { signal })).data;

/** Absent ids: all. */
export const markRead = (call: Call, ids?: readonly string[]): Promise<unknown> =>
  call('POST /api/inbox/read', { body: ids === undefined ? {} : { ids }, outlives: true });

/** Notes that this browser has shown them. */
export const markShown = (call: Call, ids: readonly string[]): Promise<unknown> =>
  call('POST /api/inbox/read', { body: { ids, state: 'shown' } });

export const readRules = async (call: Call, signal?: AbortSignal): Promise<InboxRulesData> =>
  (await call<{ readonly data: InboxRulesData }>('GET /api/inbox/rules', { signal })).data;

export const storeRules = (call: Call, body: InboxRulesDraft): Promise<unknown> =>
  call('PUT /api/inbox/rules', { body });

export const ACTIVITY = ['activity'] as const;

export const readActivity = async (call: Call, signal?: AbortSignal): Promise<readonly OwnAction[]> =>
  (await call<{ readonly data: readonly OwnAction[] }>('GET /api/activity', { signal })).data;

/** Undoes an own action. */
export const undoAction = (call: Call, undo: NonNullable<OwnAction['undo']>): Promise<unknown> => {
  switch (undo.kind) {
    case 'operation':
      return undoOperation(call, undo.id);
    case 'status':
      return setStatus(call, { ids: [undo.id] }, { status: undo.status as Status });
    case 'silence':
      return call('DELETE /api/events/silences/{id}', { params: { id: undo.id } });
  }
};
