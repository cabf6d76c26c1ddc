import { expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import { EVENT_FIELDS, fieldsOf } from '#domain/event/fields.ts';
import { fullEvent } from '#test/contract/samples.ts';
import { accumulatedOf, accumulatedText, bodyText, readAccumulated, stateText } from './row.ts';

const NAMES = Object.keys(EVENT_FIELDS) as (keyof Event)[];
const other = Object.fromEntries(NAMES.map((name) => [name, `other ${name}`])) as unknown as Event;

test('what has no column is in the body or in the state, once', () => {
  const texts = { ...JSON.parse(bodyText(other)), ...JSON.parse(stateText(other)) };
  const written = Object.keys(JSON.parse(bodyText(other))).length + Object.keys(JSON.parse(stateText(other))).length;
  expect(written).toBe(Object.keys(texts).length);
  const elsewhere = [
    ...fieldsOf('tally', 'assigned', 'fence'),
    'tenant',
    'id',
    'source',
    'timestamp',
    'identity',
    'createdAt',
    'createdPosition',
    'status',
    'severity',
  ];
  expect([...Object.keys(texts), ...elsewhere].sort()).toEqual([...NAMES].sort());
});

test('what occurrences add to is in columns of `tally`, or in `gathered`', () => {
  const gathered = readAccumulated(accumulatedText(accumulatedOf(fullEvent(1))));
  const inTally = ['count', 'firstOccurrence', 'lastOccurrence', 'seen'];
  expect([...inTally, ...Object.keys(gathered)].sort()).toEqual(fieldsOf('tally').sort());
});
