import type { UseCaseContext } from '#application/access/context.ts';
import { recordChunks } from '#application/records/list-records.ts';
import { revise } from '#application/records/revise.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  type InboxDeliveries,
  type InboxDelivery,
  type InboxRead,
  type InboxRules,
  NO_RULES,
  NOTHING_READ,
  withDeliveries,
  withRead,
} from '#features/inbox/rules/inbox.ts';

/** Records by id of the user. */
const KINDS = { read: 'inbox-read', rules: 'inbox-rules', mailed: 'inbox-mailed', shown: 'inbox-shown' } as const;

export const readOf = async ({ records }: Pick<Ports, 'records'>, tenant: string, user: string): Promise<InboxRead> =>
  (await records.get<InboxRead>(tenant, KINDS.read, user))?.body ?? NOTHING_READ;

interface RecordChange<T> {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  /** Body of a missing record. */
  readonly none: T;
  readonly change: (before: T) => T;
}
async function changeRecord<T>(
  { ports, tenant, caller }: UseCaseContext,
  { kind, none, change }: RecordChange<T>,
): Promise<void> {
  const { records } = ports;
  await revise<{ readonly body: T; readonly revision: number }>(ports, {
    of: [kind, tenant, caller.id],
    ifMatch: null,
    load: async () => (await records.get<T>(tenant, kind, caller.id)) ?? { body: none, revision: 0 },
    change: ({ body, revision }) => ({ body: change(body), revision }),
    put: ({ body }, { revision }) => records.put(tenant, kind, caller.id, body, { expected: revision }),
  });
}

/** Marks these items as read, or all until now. */
export const markRead = (context: UseCaseContext, ids: readonly string[] | null): Promise<void> =>
  changeRecord<InboxRead>(context, {
    kind: KINDS.read,
    none: NOTHING_READ,
    change: (read) => (ids === null ? { until: context.receivedAt, ids: [] } : withRead(read, ids)),
  });

const NO_DELIVERIES: InboxDeliveries = { deliveries: [] };

/** Notes that a browser of the user has shown these items. */
export const markShown = (context: UseCaseContext, ids: readonly string[]): Promise<void> =>
  changeRecord<InboxDeliveries>(context, {
    kind: KINDS.shown,
    none: NO_DELIVERIES,
    change: (before) =>
      withDeliveries(before, ids, { channel: 'browser', at: context.receivedAt, result: 'sent', reason: null }),
  });

/** Deliveries by item, newest first. */
export async function deliveriesOf(
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  user: string,
): Promise<ReadonlyMap<string, readonly InboxDelivery[]>> {
  const stored = await Promise.all(
    [KINDS.mailed, KINDS.shown].map((kind) => records.get<Partial<InboxDeliveries>>(tenant, kind, user)),
  );
  const all = stored.flatMap((one) => one?.body.deliveries ?? []).sort((a, b) => b.at - a.at);
  return Map.groupBy(all, ({ item }) => item);
}

type RulesContext = Pick<UseCaseContext, 'ports' | 'tenant' | 'caller'>;

export const rulesOf = async ({ ports, tenant, caller }: RulesContext): Promise<InboxRules> => ({
  ...NO_RULES,
  ...(await ports.records.get<InboxRules>(tenant, KINDS.rules, caller.id))?.body,
});

export const putRules = async ({ ports, tenant, caller }: RulesContext, rules: InboxRules): Promise<InboxRules> => {
  // Items after the first address are mailed, also those before the first round.
  if (rules.mail !== null && (await mailedOf(ports, tenant, caller.id)) === null)
    await setMailed(ports, tenant, caller.id, { since: ports.clock.now(), deliveries: [] });
  await ports.records.put(tenant, KINDS.rules, caller.id, rules);
  return rules;
};

/** Users with an address, with their rules. */
export const mailedUsers = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
): Promise<readonly { readonly id: string; readonly rules: InboxRules }[]> => {
  const found = [];
  for await (const chunk of recordChunks<InboxRules>(records, tenant, KINDS.rules))
    for (const { id, body } of chunk) if (body.mail != null) found.push({ id, rules: { ...NO_RULES, ...body } });
  return found;
};

/** Email of a user. */
export interface InboxMailed extends InboxDeliveries {
  /** Earlier items are not sent, ms. */
  readonly since: number;
}

/** Null: no round yet. */
export const mailedOf = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  user: string,
): Promise<InboxMailed | null> => {
  // An earlier version has stored the newest item instead.
  const stored = (await records.get<Partial<InboxMailed> & { readonly until?: number }>(tenant, KINDS.mailed, user))
    ?.body;
  return stored === undefined ? null : { ...NO_DELIVERIES, ...stored, since: stored.since ?? stored.until ?? 0 };
};

export const setMailed = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  user: string,
  mailed: InboxMailed,
): Promise<void> => {
  await records.put<InboxMailed>(tenant, KINDS.mailed, user, mailed);
};
