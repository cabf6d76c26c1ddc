import { expect, test } from '@jest/globals';
import type { EventDraft } from '../draft.ts';
import { type CheckRule, checkProblem, ruledDraft } from './check-rules.ts';

const draft: EventDraft = {
  source: 'Zabbix',
  sourceId: '1',
  severity: 'major',
  title: 'Disk 91% full on c1',
  hostname: 'c1',
  tags: ['ops'],
};
const rule: CheckRule = { source: 'zabbix', problem: checkProblem(draft) };

test('the problem has neither the host nor readings', () => {
  expect(rule.problem).toBe('disk <n>% full on');
  expect(checkProblem({ ...draft, title: 'Disk 12% full on c2.example.com', hostname: 'c2' })).toBe(rule.problem);
});

test.each<[Partial<CheckRule>, Partial<EventDraft>, string, readonly string[]]>([
  [{ severity: 'info' }, {}, 'info', ['ops']],
  [{ grouped: false }, {}, 'major', ['ops', 'ungrouped']],
  [{ grouped: false }, { tags: ['ungrouped'] }, 'major', ['ungrouped']],
  [{ severity: 'info', grouped: true }, { title: 'Disk 3% full on c9', hostname: 'c9' }, 'info', ['ops']],
  [{ severity: 'info' }, { source: 'nagios' }, 'major', ['ops']],
  [{ severity: 'info' }, { title: 'Disk is full' }, 'major', ['ops']],
])('%j of %j is %s with tags %j', (part, said, severity, tags) =>
  expect(ruledDraft({ ...draft, ...said }, [{ ...rule, ...part }])).toMatchObject({ severity, tags }),
);

test('without a rule the draft is the same', () => expect(ruledDraft(draft, [])).toBe(draft));
