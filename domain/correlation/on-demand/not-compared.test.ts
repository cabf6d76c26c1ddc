import { expect, test } from '@jest/globals';
import type { Enriched } from '#domain/correlation/records.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { at, MINUTE, record, settingsOf, T } from '#test/setup/pair-kit.ts';
import { explain } from './explain.ts';
import { type ArrivedEvent, notCompared } from './not-compared.ts';

const arrived = (number: number, changes: Partial<Enriched>): ArrivedEvent => ({
  event: sampleEvent(number),
  record: { ...record(), ...changes },
});
const earlier = arrived(1, { arrival: at('b', 0, { position: 1 }) });
const later = arrived(2, {});
const told = (one: ArrivedEvent, two: ArrivedEvent, cut = {}) =>
  notCompared(one, two, explain(one.record, two.record), cut);

test('an event that was bound to its CI too late is compared without it', () => {
  const bound = arrived(1, { late: true, arrival: at('b', 0, { position: 3, rebound: true }) });
  expect(told(bound, later)).toEqual({
    cause: 'bound_late',
    eventId: `EVT-${bound.event.id}`,
    reason: `not compared by CI: “Disk full on host-1” was bound to its CI only after it was resolved, or more than 1h behind the newest event`,
  });
});

test('of two late ones the later is named', () => {
  const late = (one: ArrivedEvent): ArrivedEvent => ({ ...one, record: { ...one.record, late: true } });
  expect(told(late(later), late(earlier))?.eventId).toBe(`EVT-${later.event.id}`);
});

test('only strategies that would join the two have cut the earlier one', () => {
  expect(told(later, earlier, { temporal: 2, service: 5 })).toMatchObject({ truncated: { temporal: 2 } });
  expect(told(later, earlier, { service: 5 })).toBeNull();
  expect(told(later, earlier)).toBeNull();
});

test('a partner that had ended is named with its end, as it was known then', () => {
  const history = (position: number) => [
    { at: 0, by: null, from: null, to: 'open' as const, position: 1 },
    { at: T - MINUTE, by: null, from: 'open' as const, to: 'resolved' as const, position },
  ];
  const over = (position: number): ArrivedEvent => ({
    ...earlier,
    event: { ...earlier.event, history: history(position) },
  });
  expect(told(later, over(1))).toEqual({
    cause: 'ended',
    eventId: `EVT-${earlier.event.id}`,
    endedAt: new Date(T - MINUTE).toISOString(),
    reason: 'not compared: “Disk full on host-1” had ended 60s before the other started',
  });
  expect(told(later, over(later.record.arrival.position + 1))).toBeNull();
  const literal = { ...later, record: { ...later.record, settings: settingsOf('specified') } };
  expect(told(literal, over(1))).toBeNull();
});
