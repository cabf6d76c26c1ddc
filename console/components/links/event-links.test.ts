import { expect, test } from '@jest/globals';
import { linksOf, linksOfText, shownOf } from './event-links.ts';

test('links of an event are named by their fields, runbooks first; silences and other schemes are left out', () => {
  const details = {
    generatorURL: 'https://prom.example.com/graph?g0=up',
    silenceURL: 'https://prom.example.com/silences/new',
    annotations: { runbook_url: 'https://wiki.example.com/disk', summary: 'https://x.example.com/' },
    ticket: 'javascript:alert(1)',
    links: [{ href: 'https://cmdb.example.com/1' }],
  };
  expect(linksOf(details)).toEqual([
    { words: 'Runbook', address: 'https://wiki.example.com/disk' },
    { words: 'Source', address: 'https://prom.example.com/graph?g0=up' },
    { words: 'Source', address: 'https://cmdb.example.com/1' },
  ]);
});

test('links of a note are found between words', () => {
  expect(linksOfText('See (https://jira.example.com/browse/OPS-7), ask Ann.')).toEqual([
    'https://jira.example.com/browse/OPS-7',
  ]);
});

test.each([
  ['https://tickets.example.test/browse/INC-4711/', 'INC-4711'],
  ['https://wiki.example.test/Disk%20full?v=2', 'Disk full'],
  ['https://wiki.example.test/100%', '100%'],
  ['https://tickets.example.test/', 'tickets.example.test'],
])('the link %s is shown as %s', (address, shown) => {
  expect(shownOf(address)).toBe(shown);
});
