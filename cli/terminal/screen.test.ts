import { expect, test } from '@jest/globals';
import { show } from '#cli/client/connection.ts';
import { tableOf } from './screen.ts';

const TITLE = 'evil\u202edesrever \u001b[2J\u009b31m';
const SEEN = 'evil‹U+202E›desrever ‹U+001B›[2J‹U+009B›31m';

test('a table shows what a terminal would obey', () => {
  expect(tableOf([{ title: 'Title' }], [[TITLE]])).toContain(`│ ${SEEN} │`);
});

test('a reply is shown to people so, and given to programs as it is', () => {
  const printed: string[] = [];
  const screen = { print: (text: string) => void printed.push(text), isTerminal: true };
  for (const json of [false, true]) show(screen, { json }, { title: TITLE }, ({ title }) => `1 event\n${title}`);
  expect(printed[0]).toBe(`1 event\n${SEEN}`);
  expect(JSON.parse(printed[1]!)).toEqual({ title: TITLE });
});
