import { factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import { shiftAt } from '#features/on-call/rules/on-call.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { item, ON_CALL, type OnCallTool } from '#features/questions/use-cases/tools/tool.ts';
import { listOnCall } from './policies.ts';

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
    const facts = factsOf({ 'escalated after minutes': afterMinutes });
    const names = freeTexts({ team, 'on call': now, 'escalated to': next });
    return [{ ...item('query', `on-call:${id}`, 'on-call settings', facts, names), href: '/api/on-call' }];
  },
  href: () => '/api/on-call',
  noun: 'team',
  tell: ({ team, now }) => `On call for ${team}: ${now ?? 'not known'}.`,
  none: 'No team has on-call settings.',
};
