import { describe, expect, test } from '@jest/globals';
import type { Event, Status } from '#domain/event/event.ts';
import { setStatus } from '#domain/event/lifecycle/status.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { handledIn } from './measure-steps.ts';

const kim = { id: 'u1', username: 'kim', name: 'Kim' };
const begun = sampleEvent(1, { firstOccurrence: NOON, timestamp: NOON, lastOccurrence: NOON, status: 'open' });

/** The event, and the measurement of the change. */
const moved = (before: Event, to: Status, minutes: number, by: typeof kim | null = kim) => {
  const receivedAt = NOON + minutes * MINUTE;
  const stamp = { position: before.position + 1, receivedAt };
  const { event } = setStatus(before, { to, at: receivedAt, by }, stamp);
  const previous = event.status === before.status ? {} : { previousStatus: before.status };
  return { event, handled: handledIn({ happened: 'changed', event, receivedAt, ...previous }) };
};

describe('what a person does with an event', () => {
  test('is measured from the beginning of the event, the first time only', () => {
    const acknowledged = moved(begun, 'acknowledged', 5);
    expect(acknowledged.handled).toEqual({ to: 'acknowledged', afterMs: 5 * MINUTE });
    expect(moved(acknowledged.event, 'acknowledged', 6).handled).toBeNull();
    const reopened = moved(acknowledged.event, 'open', 7);
    expect(reopened.handled).toBeNull();
    const again = moved(reopened.event, 'acknowledged', 8);
    expect(again.handled).toBeNull();
    const resolved = moved(again.event, 'resolved', 9);
    expect(resolved.handled).toEqual({ to: 'resolved', afterMs: 9 * MINUTE });
    expect(moved(moved(resolved.event, 'open', 10).event, 'resolved', 11).handled).toBeNull();
  });

  test('is not what a monitor or a rule does, and comes first although one did it before', () => {
    const ended = moved(begun, 'resolved', 5, null);
    expect(ended.handled).toBeNull();
    const resolved = moved(moved(ended.event, 'open', 6).event, 'resolved', 7);
    expect(resolved.handled).toEqual({ to: 'resolved', afterMs: 7 * MINUTE });
  });

  test('begins with the problem, when the event took the place of another', () => {
    const { handled } = moved({ ...begun, problemSince: NOON - MINUTE }, 'acknowledged', 5);
    expect(handled).toEqual({ to: 'acknowledged', afterMs: 6 * MINUTE });
  });

  test('is told by changes of a status alone', () => {
    const { event } = moved(begun, 'acknowledged', 5);
    const of = (more: object) => handledIn({ happened: 'changed', event, receivedAt: NOON, ...more });
    expect(of({})).toBeNull();
    expect(of({ happened: 'created', previousStatus: 'open' })).toBeNull();
    expect(handledIn({ happened: 'forgotten', receivedAt: NOON })).toBeNull();
  });
});
