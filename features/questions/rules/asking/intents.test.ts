import { expect, test } from '@jest/globals';
import { INTENTS, intentOf } from './intents.ts';

/** As messages are shaped: names are §, times ¤. */
const shapeOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(
      /\b[a-z]+(?:-[a-z]+)*-\d+\b|\bnetbank\b|\boracle rac\b|\bdatabase\b(?!s)|\bservers?\b|\bcard payments\b|\bcarrier\b|\bldap\b/g,
      '§',
    )
    .replaceAll(/\b(?:last night|yesterday|tuesday|in the last 24 hours|right now|this week)\b/g, '¤');

const examples = INTENTS.flatMap(({ intent, examples }) => examples.map((text) => [text, intent] as const));

test.each(examples)('%s: %s', (text, intent) => {
  expect([text, intentOf(shapeOf(text))]).toEqual([text, intent]);
});

test('every intent of the table has an example', () => {
  expect(INTENTS.filter((row) => row.examples.length === 0)).toEqual([]);
});

test('a message of 2,000 characters is read in no time, whatever stands in it', () => {
  const began = process.cpuUsage().user;
  for (const part of ['what ', 'is it the ', 'can i ', 'before ', 'how long ', '§ ', 'why did the § '])
    intentOf(part.repeat(Math.ceil(2_000 / part.length)));
  expect(process.cpuUsage().user - began).toBeLessThan(2_000_000);
});
