import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { CONSOLE_KINDS, type ConsoleSettings } from '#domain/access/console.ts';
import { permissionsOf } from '#domain/access/grant.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { isWithin } from '#features/inbox/rules/hours.ts';
import type { InboxRules } from '#features/inbox/rules/inbox.ts';
import { letterOf } from '#features/inbox/rules/letter.ts';
import { readInbox } from './read-inbox.ts';
import { mailedUntil, mailedUsers, setMailed } from './records.ts';

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

/** Items from before the first round, and from outside the hours, are not sent later. */
async function mailUser(ports: Ports, { tenant, id, rules }: MailedUser): Promise<void> {
  const now = ports.clock.now();
  const user = (await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id))?.body;
  if (rules.mail === null || user === undefined || user.disabled) return;
  const until = await mailedUntil(ports, tenant, id);
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
  const fresh = items.filter(({ at, isRead }) => !isRead && until !== null && at > until);
  const isOpen = isWithin(rules.hours, await clockOf(ports, tenant, id, now));
  if (fresh.length > 0 && isOpen)
    await ports.mailer.send({ to: rules.mail, ...letterOf(fresh, ports.mailer.publicUrl) });
  const newest = Math.max(until ?? now, ...items.map(({ at }) => at));
  if (newest !== until) await setMailed(ports, tenant, id, newest);
}

/** Mails new items to the users who want it. Throws when one failed, after all others had their turn. */
export const mailInboxes = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  if (!ports.mailer.isOn) return;
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
