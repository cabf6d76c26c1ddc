import type { UseCaseContext } from '#application/access/context.ts';
import { recordChunks } from '#application/records/list-records.ts';
import { revise } from '#application/records/revise.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type InboxRead, type InboxRules, NO_RULES, NOTHING_READ, withRead } from '#features/inbox/rules/inbox.ts';

/** Records by id of the user. */
const KINDS = { read: 'inbox-read', rules: 'inbox-rules', mailed: 'inbox-mailed' } as const;

export const readOf = async ({ records }: Pick<Ports, 'records'>, tenant: string, user: string): Promise<InboxRead> =>
  (await records.get<InboxRead>(tenant, KINDS.read, user))?.body ?? NOTHING_READ;

/** Marks these items as read, or all until now. */
export async function markRead(
  { ports, tenant, caller, receivedAt }: UseCaseContext,
  ids: readonly string[] | null,
): Promise<void> {
  const { records } = ports;
  await revise<{ readonly read: InboxRead; readonly revision: number }>(ports, {
    of: ['inbox', tenant, caller.id],
    ifMatch: null,
    async load() {
      const stored = await records.get<InboxRead>(tenant, KINDS.read, caller.id);
      return { read: stored?.body ?? NOTHING_READ, revision: stored?.revision ?? 0 };
    },
    change: ({ read, revision }) => ({
      read: ids === null ? { until: receivedAt, ids: [] } : withRead(read, ids),
      revision,
    }),
    put: ({ read }, { revision }) => records.put(tenant, KINDS.read, caller.id, read, { expected: revision }),
  });
}

type RulesContext = Pick<UseCaseContext, 'ports' | 'tenant' | 'caller'>;

export const rulesOf = async ({ ports, tenant, caller }: RulesContext): Promise<InboxRules> => ({
  ...NO_RULES,
  ...(await ports.records.get<InboxRules>(tenant, KINDS.rules, caller.id))?.body,
});

export const putRules = async ({ ports, tenant, caller }: RulesContext, rules: InboxRules): Promise<InboxRules> => {
  if (rules.mail !== null && !ports.mailer.isOn)
    throw new Fault('unprocessable', 'mail: this server sends no email. An administrator must set FAULTLINE_SMTP_URL');
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

interface Mailed {
  /** Newest item that was sent, ms. */
  readonly until: number;
}

/** The newest item that a user has been sent, ms; null: none yet. */
export const mailedUntil = async ({ records }: Pick<Ports, 'records'>, tenant: string, user: string) =>
  (await records.get<Mailed>(tenant, KINDS.mailed, user))?.body.until ?? null;

export const setMailed = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  user: string,
  until: number,
): Promise<void> => {
  await records.put<Mailed>(tenant, KINDS.mailed, user, { until });
};
