import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { CONSOLE_KINDS, type ConsoleSettings } from '#domain/access/console.ts';
import { permissionsOf } from '#domain/access/grant.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { isWithin } from '#features/inbox/rules/hours.ts';
import { type InboxDelivery, type InboxRules, withDeliveries } from '#features/inbox/rules/inbox.ts';
import { letterOf } from '#features/inbox/rules/letter.ts';
import { readInbox, type ShownItem } from './read-inbox.ts';
import { mailedOf, mailedUsers, setMailed } from './records.ts';

/** `HH:MM` on the clock of the user; UTC where they chose no zone. */
const clockOf = async ({ records }: Ports, tenant: string, user: string, now: number): Promise<string> => {
  const settings = await records.get<Partial<ConsoleSettings>>(tenant, CONSOLE_KINDS.settings, user);
  const timeZone = settings?.body.zone ?? 'UTC';
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    now,
  );
};

interface MailedUser {
  readonly tenant: string;
  readonly id: string;
  readonly rules: InboxRules;
}

/** Older items are not sent: their user has seen them, or too much has happened since. */
const LATEST_MS = 3_600_000;

async function deliver(
  ports: Ports,
  { tenant, id, rules }: MailedUser,
  items: readonly ShownItem[],
): Promise<Pick<InboxDelivery, 'result' | 'reason'>> {
  const skipped = (reason: string) => ({ result: 'skipped', reason }) as const;
  if (!ports.mailer.isOn) return skipped('this server has no mail server');
  if (!isWithin(rules.hours, await clockOf(ports, tenant, id, ports.clock.now()))) return skipped('outside your hours');
  return ports.mailer.send({ to: rules.mail ?? '', ...letterOf(items, ports.mailer.publicUrl) }).then(
    () => ({ result: 'sent', reason: null }),
    (error: Error) => ({ result: 'failed', reason: error.message.slice(0, 200) }),
  );
}

/** Items from before the first round, and from outside the hours, are not sent later. Failed ones are, until they are old. */
async function mailUser(ports: Ports, mailedUser: MailedUser): Promise<void> {
  const { tenant, id, rules } = mailedUser;
  const now = ports.clock.now();
  const user = (await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id))?.body;
  if (rules.mail === null || user === undefined || user.disabled) return;
  const mailed = await mailedOf(ports, tenant, id);
  if (mailed === null) return setMailed(ports, tenant, id, { since: now, deliveries: [] });
  const { username, name, role } = user;
  const caller = {
    id,
    username,
    name,
    role,
    tenant,
    credentialId: id,
    kind: 'jwt',
    permissions: new Set(permissionsOf({ role, scopes: [] })),
    limits: { tenant: {}, token: {} },
  } as const;
  const items = await readInbox({ ports, tenant, caller, receivedAt: now });
  const after = Math.max(mailed.since, now - LATEST_MS);
  const isDone = ({ deliveries }: ShownItem): boolean =>
    deliveries.some(({ channel, result }) => channel === 'email' && result !== 'failed');
  const fresh = items.filter((item) => !item.isRead && item.at > after && !isDone(item));
  if (fresh.length === 0) return;
  const done = await deliver(ports, mailedUser, fresh);
  const ids = fresh.map(({ id: item }) => item);
  const deliveries = mailed.deliveries.filter(({ item }) => !ids.includes(item));
  const noted = withDeliveries({ deliveries }, ids, { channel: 'email', at: now, ...done });
  await setMailed(ports, tenant, id, { ...mailed, ...noted });
  if (done.result === 'failed') throw new Error(done.reason ?? '');
}

/** Mails new items to the users who want it. Throws when one failed, after all others had their turn. */
export const mailInboxes = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't send email of ${count} tenants`;
  await eachActiveTenant(ports.records, { isStopping, failed }, async (tenant) => {
    const errors: unknown[] = [];
    for (const { id, rules } of await mailedUsers(ports, tenant)) {
      if (isStopping()) return;
      await mailUser(ports, { tenant, id, rules }).catch((error) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  });
};
