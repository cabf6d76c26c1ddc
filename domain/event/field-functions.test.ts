import { expect, test } from '@jest/globals';
import { sampleEvent } from '#test/contract/samples.ts';
import type { Event } from './event.ts';
import { copyFields, pickFields, sameFields } from './field-functions.ts';
import { EVENT_FIELDS } from './fields.ts';

const NAMES = Object.keys(EVENT_FIELDS) as (keyof Event)[];
const event = sampleEvent(1);
const other = { ...event, ...Object.fromEntries(NAMES.map((name) => [name, `other ${name}`])) } as unknown as Event;

test.each(NAMES)('%s alone makes a difference, and is copied', (name) => {
  const changed = { ...event, [name]: other[name] };
  const rest = NAMES.filter((one) => one !== name);
  expect([sameFields([name])(event, changed), sameFields(rest)(event, changed)]).toEqual([false, true]);
  const copy = { ...event };
  copyFields([name])(copy, other);
  expect(copy).toEqual(changed);
});

test('a field that is gone is deleted', () => {
  const copy = { ...event, description: 'said before' };
  const { description: _, ...without } = event;
  copyFields(['description'])(copy, without);
  expect(copy).toStrictEqual(without);
});

test('the fields of a part are picked', () => {
  expect(pickFields(['status', 'correlationId'])(event)).toEqual({
    status: event.status,
    correlationId: event.correlationId,
  });
});
