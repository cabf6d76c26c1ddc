import { expect, test } from '@jest/globals';
import { changeWords, eventsPath, ruleWords, shareWords } from './noise-text.ts';

test.each([
  [112, 100, '+12% vs. the 7 days before'],
  [50, 100, '−50% vs. the 7 days before'],
  [7, 7, 'Same as in the 7 days before'],
  [7, 0, '0 in the 7 days before'],
])('%i after %i is %s', (now, before, words) => expect(changeWords(now, before)).toBe(words));

test.each([
  [1, 4, '25%'],
  [0, 0, '–'],
])('%i of %i is %s', (part, all, words) => expect(shareWords(part, all)).toBe(words));

test('events of a check have its source and the lasting words of its title', () => {
  expect(eventsPath({ source: 'zabbix', title: 'Disk 91% full on c1' })).toBe(
    '/events?source=zabbix&search=Disk+full+on&timeRange=7d',
  );
});

test.each([
  [{ severity: 'info' }, 'Severity info'],
  [{ severity: 'critical', grouped: false }, 'Severity critical, not grouped'],
  [{ grouped: false }, 'Not grouped'],
] as const)('%j is %s', (rule, words) => expect(ruleWords(rule)).toBe(words));
