import { expect, test } from '@jest/globals';
import { type SummaryFacts, summaryOf } from './group-summary.ts';

const saved = (name: string, surviving: number): SummaryFacts['saved'][number] => ({
  ci: name,
  name,
  type: 'server',
  hops: 1,
  groups: [{ group: 'g', required: 1, members: 2, surviving }],
});
const facts: SummaryFacts = {
  title: 'Link down',
  ci: 'sw-1',
  size: 4,
  explained: 0,
  services: [],
  saved: [],
  isCauseOn: true,
  left: 4,
};

test.each<readonly [string, Partial<SummaryFacts>, string]>([
  ['a cause alone', {}, 'Link down on sw-1'],
  ['a title that names its CI', { title: 'Switch sw-1 is down' }, 'Switch sw-1 is down'],
  ['a cause without a CI', { ci: null }, 'Link down'],
  ['no cause', { title: null, ci: null }, '4 related events, root cause unknown'],
  ['one CI behind it', { explained: 1 }, 'Link down on sw-1; 1 CI impacted'],
  [
    'all that is over',
    { explained: 3, isCauseOn: false, left: 0 },
    'Link down on sw-1 (resolved); 3 CIs were impacted',
  ],
  [
    'a cause that is over while others are on',
    { explained: 3, isCauseOn: false, left: 2, services: [{ name: 'Shop', isDown: false }] },
    'Link down on sw-1 (resolved); 3 CIs were impacted; 2 of 4 events are still open; Shop is degraded',
  ],
  [
    'services and redundancy',
    {
      explained: 21,
      services: ['Shop', 'Pay', 'Mail', 'Chat', 'Wiki'].map((name, i) => ({ name, isDown: i > 0 })),
      saved: [saved('Payroll', 1), saved('Backup', 2)],
    },
    'Link down on sw-1; 21 CIs impacted; Pay, Mail, Chat and 1 more are down; Shop is degraded; Payroll has lost redundancy',
  ],
])('the sentence of %s', (_name, given, sentence) => {
  expect(summaryOf({ ...facts, ...given })).toBe(sentence);
});
