import { audited } from '#application/access/audit.ts';
import type { TenantContext, UseCaseContext } from '#application/access/context.ts';
import { everyTeam, findTeam } from '#application/access/team-store.ts';
import { invalid } from '#domain/fault.ts';
import { factsOf as evidenceFacts, freeTexts } from '#features/ai/rules/findings.ts';
import {
  ON_CALL_KINDS,
  type OnCallPolicy,
  type OnCallRota,
  shiftAt,
  type TeamOnCall,
} from '#features/on-call/rules/on-call.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { item, ON_CALL, type OnCallTool } from '#features/questions/use-cases/tools/tool.ts';
import { policiesOf, readRota } from './read-rotas.ts';

const rotaOf = async ({ ports, tenant }: TenantContext, team: string): Promise<OnCallRota | null> =>
  (await ports.records.get<OnCallRota>(tenant, ON_CALL_KINDS.rota, team))?.body ?? null;

export async function listOnCall(context: TenantContext): Promise<readonly TeamOnCall[]> {
  const policies = new Map((await policiesOf(context)).map((policy) => [policy.team.id, policy]));
  const teams = await everyTeam(context.ports.records, context.tenant);
  return Promise.all(
    teams.map(async (team) => {
      const { id } = team;
      const policy = policies.get(id) ?? null;
      return { team, policy, rota: policy?.calendar == null ? null : await rotaOf(context, id) };
    }),
  );
}

export interface OnCallPut {
  /** Absent: unchanged. */
  readonly calendar?: string | null | undefined;
  readonly afterMinutes: number | null;
  /** Id of a team. */
  readonly next: string | null;
}

/** The address is a secret: the audit log has its host. */
const factsOf = (policy: OnCallPolicy | undefined) => ({
  calendar: policy?.calendar == null ? null : new URL(policy.calendar).host,
  afterMinutes: policy?.afterMinutes ?? null,
  next: policy?.next?.name ?? null,
});

/** Replaces the settings of a team, and reads its calendar. */
export async function putOnCall(context: UseCaseContext, id: string, put: OnCallPut): Promise<TeamOnCall> {
  const { ports, tenant, receivedAt: now } = context;
  const { body: team } = await findTeam(ports.records, tenant, id);
  const before = (await ports.records.get<OnCallPolicy>(tenant, ON_CALL_KINDS.policy, id))?.body;
  const calendar = put.calendar === undefined ? (before?.calendar ?? null) : put.calendar;
  const refusal = calendar === null ? null : ports.outbound.refusal(calendar);
  if (refusal !== null) throw invalid('calendar', refusal);
  if ((put.next === null) !== (put.afterMinutes === null))
    throw invalid(
      put.next === null ? 'next_team' : 'after_minutes',
      'expected both or neither of after_minutes and next_team',
    );
  if (put.next === id) throw invalid('next_team', 'expected another team');
  const next = put.next === null ? null : (await findTeam(ports.records, tenant, put.next)).body;
  const policy: OnCallPolicy = {
    team: { id, name: team.name },
    calendar,
    afterMinutes: put.afterMinutes,
    next: next && { id: next.id, name: next.name },
    updatedAt: now,
  };
  const entry = {
    action: 'on-call.updated',
    target: { kind: 'team', id },
    before: factsOf(before),
    after: factsOf(policy),
  };
  await ports.records.put(tenant, ON_CALL_KINDS.policy, id, policy, { sideRecords: [audited(context, entry)] });
  const rota = calendar === null ? null : await readRota(ports, tenant, policy);
  return { team, policy, rota };
}

export const onCallTool: OnCallTool = {
  name: ON_CALL,
  title: 'List on-call settings',
  description: 'Who is on call and where groups escalate, by team.',
  input: INPUTS.none,
  permission: 'events.read',
  async run(asking) {
    const rows = (await listOnCall(asking)).map(({ team, policy, rota }) => ({
      id: team.id,
      team: team.name,
      now: shiftAt(rota?.shifts ?? [], asking.receivedAt)?.name ?? null,
      hasCalendar: policy?.calendar != null,
      // A calendar that could not be read again may be out of date.
      isStale: rota?.error != null,
      afterMinutes: policy?.afterMinutes ?? null,
      next: policy?.next?.name ?? null,
    }));
    return { rows, total: rows.length };
  },
  items: ({ id, team, now, afterMinutes, next }) => {
    const facts = evidenceFacts({ 'escalated after minutes': afterMinutes });
    const names = freeTexts({ team, 'on call': now, 'escalated to': next });
    return [{ ...item('query', `on-call:${id}`, 'on-call settings', facts, names), href: '/api/on-call' }];
  },
  href: () => '/api/on-call',
  noun: 'team',
  tell: ({ team, now }) => `On call for ${team}: ${now ?? 'not known'}.`,
  none: 'No team has on-call settings.',
};
