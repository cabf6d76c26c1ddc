import { expect, test } from '@jest/globals';
import { KINDS, kindWords } from './kind-words.ts';
import { appliesTo, movedUp, type Runbook, runbookOf, withRunbook } from './runbooks.ts';

const [a, b, c]: Runbook[] = [
  { url: 'a', ciType: 'database' },
  { url: 'b', service: 'pay', title: 'disk' },
  { url: 'c' },
];

test('a form without conditions is for every event', () => {
  const form = new FormData();
  for (const [name, value] of [
    ['url', ' https://wiki.example.com/db '],
    ['text', ''],
    ['ciType', 'database '],
  ] as const)
    form.set(name, value);
  expect(runbookOf(form)).toEqual({ url: 'https://wiki.example.com/db', ciType: 'database' });
  expect([a, b, c].map((one) => appliesTo(one!))).toEqual(['CI type database', 'service pay, words in title disk', '']);
  expect(appliesTo({ url: 'd', complaint: 'space_short' })).toBe('kind of problem “Low disk space”');
});

test('one is changed, removed, added or moved; changes of others stay', () => {
  const all = [a!, b!];
  expect(withRunbook(all, { ...a! }, c!)).toEqual([c, b]);
  expect(withRunbook(all, a!, null)).toEqual([b]);
  expect(withRunbook(all, null, c!)).toEqual([a, b, c]);
  expect(withRunbook([b!], a!, c!)).toEqual([b, c]);
  expect(withRunbook([b!], a!, null)).toEqual([b]);
  expect(movedUp(all, b!)).toEqual([b, a]);
  expect(movedUp(all, a!)).toEqual([a, b]);
});

test('kinds of problems are offered by readable, different names, those of known patterns too', () => {
  const words = KINDS.map(kindWords);
  expect(words.join()).not.toMatch(/_/);
  expect(new Set(words).size).toBe(words.length);
  expect(words).toEqual(expect.arrayContaining(['Host down', 'Link down', 'Power failure', 'Low disk space']));
});
