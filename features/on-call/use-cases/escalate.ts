import { backgroundContext } from '#application/access/context.ts';
import { everyTeam, findTeam } from '#application/access/team-store.ts';
import { assigneesText, givenTo } from '#application/groups/assignees.ts';
import { changeAssignment } from '#application/groups/assignment.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import type { Caller } from '#domain/access/caller.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Team } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  type EscalationWait,
  isDue,
  ON_CALL_KINDS,
  type OnCallPolicy,
  type OnCallRota,
  type OnCallShift,
  shiftAt,
  waitOf,
} from '#features/on-call/rules/on-call.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { policiesOf } from './policy-store.ts';

/** Groups of a team in one round: the most urgent. */
const MAX_GROUPS = 100;
/** Members of a team who are mailed. */
const MAX_MEMBERS = 20;
const WAIT_KEPT_MS = 7 * 24 * 3_600_000;

/** The program itself acts, without a credential. */
const callerOf = (tenant: string): Caller => ({
  id: 'faultline',
  username: 'faultline',
  name: 'Faultline',
  tenant,
  kind: 'service_account',
  role: null,
  permissions: new Set(['events.write']),
  credentialId: 'faultline',
  limits: { tenant: {}, token: {} },
});

interface DueEscalation {
  readonly tenant: string;
  readonly row: ListedGroup;
  readonly team: Team;
  readonly next: Team;
  readonly afterMinutes: number;
  readonly since: number;
  /** Current shift of the next team. */
  readonly shift: OnCallShift | null;
}

/** Members of a team with an address. */
async function mailedMembers({ records }: Ports, tenant: string, team: string): Promise<readonly UserRecord[]> {
  const { members } = (await findTeam(records, tenant, team)).body;
  const users = await Promise.all(
    members.slice(0, MAX_MEMBERS).map((id) => records.get<UserRecord>(tenant, ACCESS_KINDS.user, id)),
  );
  return users.flatMap((user) => (user !== null && !user.body.disabled && user.body.mail ? [user.body] : []));
}

/** Returns the address in the calendar, the address of the user of that name, or all addresses of the team. */
async function addressesOf(ports: Ports, { tenant, next, shift }: DueEscalation): Promise<readonly string[]> {
  if (shift?.mail) return [shift.mail];
  const members = await mailedMembers(ports, tenant, next.id);
  const named = members.filter(({ name, username }) =>
    [name, username].some((one) => one.toLowerCase() === shift?.name.toLowerCase()),
  );
  return (named.length > 0 ? named : members).flatMap(({ mail }) => mail ?? []);
}

/** Mails the next team, if there is a mail server. */
async function mailOnCall(ports: Ports, due: DueEscalation): Promise<void> {
  const { tenant, row, team, next, afterMinutes } = due;
  if (!ports.mailer.isOn) return;
  const [event] = await ports.events.getMany(
    tenant,
    [leadingEventOf(row) ?? ''].filter((id) => id !== ''),
  );
  const title = `${(row.state.severity ?? 'unknown').toUpperCase()}: ${event?.title ?? row.group.id}`;
  const { publicUrl } = ports.mailer;
  const text = [
    title,
    `Not acknowledged by ${team.name} within ${afterMinutes} minutes. Now assigned to ${next.name}.`,
    ...(publicUrl === '' ? [] : [`${publicUrl}/ui/groups/${row.group.id}`]),
  ].join('\n');
  const subject = `[Faultline] Escalated: ${title}`.slice(0, 200);
  const sent = await Promise.allSettled(
    (await addressesOf(ports, due)).map((to) => ports.mailer.send({ to, subject, text })),
  );
  const failed = sent.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Webhooks of the tenant are sent it before the assignment: a repetition makes no second delivery. */
const notifyWebhooks = (ports: Ports, due: DueEscalation): Promise<void> => {
  const { tenant, row, team, next, afterMinutes, since, shift } = due;
  const { id, position } = row.group;
  return queueOutgoing(ports, tenant, [
    {
      kind: 'correlation.escalated',
      resource: { kind: 'correlation', id },
      sequence: position,
      at: ports.clock.now(),
      escalation: { from: team.name, to: next.name, onCall: shift?.name ?? null, afterMinutes, since },
    },
  ]);
};

async function assign(ports: Ports, tenant: string, group: string, next: Team): Promise<void> {
  await changeAssignment(backgroundContext(ports, callerOf(tenant)), group, {
    action: 'group.assigned',
    kind: 'assigned',
    text: (after) => `escalated: ${assigneesText(after)}`,
    change: givenTo({ assignedTo: { user: null }, assignedTeam: { team: next } }),
  });
}

async function escalateTeam(ports: Ports, tenant: string, policy: OnCallPolicy): Promise<void> {
  const { team, next, afterMinutes } = policy;
  if (next === null || afterMinutes === null) return;
  const page = { sort: 'urgency', order: 'desc', limit: MAX_GROUPS } as const;
  const { items } = await ports.groupRows.find(tenant, { statuses: ['active'], assignee: team.id }, page);
  for (const row of items) {
    const { id } = row.group;
    const now = ports.clock.now();
    const known = (await ports.records.get<EscalationWait>(tenant, ON_CALL_KINDS.wait, id))?.body ?? null;
    const wait = waitOf(known, team.id, now);
    if (wait !== known)
      await ports.records.put(tenant, ON_CALL_KINDS.wait, id, wait, { expiresAt: now + WAIT_KEPT_MS });
    if (!isDue(wait, afterMinutes, now)) continue;
    const rota = await ports.records.get<OnCallRota>(tenant, ON_CALL_KINDS.rota, next.id);
    const shift = shiftAt(rota?.body.shifts ?? [], now);
    const due: DueEscalation = { tenant, row, team, next, afterMinutes, since: wait.since, shift };
    await notifyWebhooks(ports, due);
    await assign(ports, tenant, id, next);
    await mailOnCall(ports, due);
  }
}

/** Assigns groups that a team has not acknowledged in time to the next team. Throws when one failed, after all others. */
export const escalate = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't escalate groups of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, async (tenant) => {
    const errors: unknown[] = [];
    const teams = new Set((await everyTeam(ports.records, tenant)).map(({ id }) => id));
    for (const policy of await policiesOf({ ports, tenant })) {
      if (isStopping()) return;
      if (!teams.has(policy.team.id) || !teams.has(policy.next?.id ?? '')) continue;
      await escalateTeam(ports, tenant, policy).catch((error) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  });
};
