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
  ['no cause', { title: null, ci: null }, '4 events belong together; their cause is not known'],
  ['one CI behind it', { explained: 1 }, 'Link down on sw-1; 1 CI behind it fails'],
  ['all that is over', { explained: 3, isCauseOn: false, left: 0 }, 'Link down on sw-1 (over); 3 CIs behind it failed'],
  [
    'a cause that is over while others are on',
    { explained: 3, isCauseOn: false, left: 2, services: [{ name: 'Shop', isDown: false }] },
    'Link down on sw-1 (over); 3 CIs behind it failed; 2 of 4 events are still open; Shop is degraded',
  ],
  [
    'services and redundancy',
    {
      explained: 21,
      services: ['Shop', 'Pay', 'Mail', 'Chat', 'Wiki'].map((name, i) => ({ name, isDown: i > 0 })),
      saved: [saved('Payroll', 1), saved('Backup', 2)],
    },
    'Link down on sw-1; 21 CIs behind it fail; Pay, Mail, Chat and 1 more are down; Shop is degraded; Payroll has no redundancy left',
  ],
])('the sentence of %s', (_name, given, sentence) => {
  expect(summaryOf({ ...facts, ...given })).toBe(sentence);
});
