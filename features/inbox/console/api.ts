import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { InboxBody, InboxRulesBody, InboxRulesReply } from '#features/inbox/schemas/inbox.ts';

export type InboxData = z.output<typeof InboxBody>;
export type InboxEntry = InboxData['items'][number];
export type InboxRulesData = z.output<typeof InboxRulesReply>;
export type InboxRulesDraft = z.output<typeof InboxRulesBody>;

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
