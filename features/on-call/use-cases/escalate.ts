import { backgroundContext } from '#application/access/context.ts';
import { everyTeam } from '#application/access/team-store.ts';
import { assigneesText, givenTo } from '#application/groups/assignees.ts';
import { changeAssignment } from '#application/groups/assignment.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Team } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  type EscalationWait,
  isDue,
  ON_CALL_KINDS,
  type OnCallPolicy,
  type OnCallRota,
  shiftAt,
  waitOf,
} from '#features/on-call/rules/on-call.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { type DueEscalation, mailOnCall } from './mail-on-call.ts';
import { policiesOf } from './read-rotas.ts';

/** Groups of a team in one round: the most urgent. */
const MAX_GROUPS = 100;
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
