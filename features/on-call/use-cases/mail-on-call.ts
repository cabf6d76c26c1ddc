import { findTeam } from '#application/access/team-store.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Team } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type EscalationMail, ON_CALL_KINDS, type OnCallShift } from '#features/on-call/rules/on-call.ts';

/** Members of a team who are mailed. */
const MAX_MEMBERS = 20;
const MAX_MAILS = 200;
const KEPT_MS = 7 * 24 * 3_600_000;

export interface DueEscalation {
  readonly tenant: string;
  readonly row: ListedGroup;
  readonly team: Team;
  readonly next: Team;
  readonly afterMinutes: number;
  readonly since: number;
  /** Current shift of the next team. */
  readonly shift: OnCallShift | null;
}

interface StoredMails {
  readonly mails: readonly EscalationMail[];
}

/** Emails about escalations to a user of the last days, newest first. */
export const escalationMails = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  user: string,
): Promise<readonly EscalationMail[]> =>
  (await records.get<StoredMails>(tenant, ON_CALL_KINDS.mails, user))?.body.mails ?? [];

async function noteMail(ports: Ports, tenant: string, user: string, mail: EscalationMail): Promise<void> {
  const mails = [mail, ...(await escalationMails(ports, tenant, user))].slice(0, MAX_MAILS);
  await ports.records.put<StoredMails>(tenant, ON_CALL_KINDS.mails, user, { mails }, { expiresAt: mail.at + KEPT_MS });
}

interface MailRecipient {
  readonly mail: string;
  /** Null: no member of the team. */
  readonly user: string | null;
}

/** The address in the calendar, the address of the member of that name, or all addresses of the team. */
async function recipientsOf(
  { records }: Ports,
  { tenant, next, shift }: DueEscalation,
): Promise<readonly MailRecipient[]> {
  const { members } = (await findTeam(records, tenant, next.id)).body;
  const found = await Promise.all(
    members.slice(0, MAX_MEMBERS).map((id) => records.get<UserRecord>(tenant, ACCESS_KINDS.user, id)),
  );
  const users = found.flatMap((user) => (user === null || user.body.disabled ? [] : [user.body]));
  const onCall = shift?.name.toLowerCase();
  const named = users.filter(({ name, username }) => [name, username].some((one) => one.toLowerCase() === onCall));
  if (shift?.mail) {
    const [user] = [...users.filter(({ mail }) => mail?.toLowerCase() === shift.mail?.toLowerCase()), ...named];
    return [{ mail: shift.mail, user: user?.id ?? null }];
  }
  const isReached = named.some(({ mail }) => mail);
  return (isReached ? named : users).flatMap(({ id, mail }) => (mail ? [{ mail, user: id }] : []));
}

async function letterOf(ports: Ports, { tenant, row, team, next, afterMinutes }: DueEscalation) {
  const [event] = await ports.events.getMany(tenant, [leadingEventOf(row) ?? []].flat());
  const title = `${(row.state.severity ?? 'unknown').toUpperCase()}: ${event?.title ?? row.group.id}`;
  const { publicUrl } = ports.mailer;
  const text = [
    title,
    `Not acknowledged by ${team.name} within ${afterMinutes} minutes. Now assigned to ${next.name}.`,
    ...(publicUrl === '' ? [] : [`${publicUrl}/ui/groups/${row.group.id}`]),
  ].join('\n');
  return { subject: `[Faultline] Escalated: ${title}`.slice(0, 200), text };
}

/** Mails the next team, if there is a mail server; inboxes of its members show the result. */
export async function mailOnCall(ports: Ports, due: DueEscalation): Promise<void> {
  const { mailer, clock } = ports;
  const letter = await letterOf(ports, due);
  const errors: unknown[] = [];
  const send = async (to: string): Promise<Pick<EscalationMail, 'result' | 'reason'>> => {
    if (!mailer.isOn) return { result: 'skipped', reason: 'this server has no mail server' };
    try {
      await mailer.send({ to, ...letter });
      return { result: 'sent', reason: null };
    } catch (error) {
      errors.push(error);
      return { result: 'failed', reason: (error as Error).message.slice(0, 200) };
    }
  };
  await Promise.all(
    (await recipientsOf(ports, due)).map(async ({ mail, user }) => {
      const done = await send(mail);
      const noted = { group: due.row.group.id, at: clock.now(), ...done };
      if (user !== null) await noteMail(ports, due.tenant, user, noted);
    }),
  );
  if (errors.length > 0) throw errors[0];
}
