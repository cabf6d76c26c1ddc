import { expect, test } from '@jest/globals';
import type { EventLog } from '#domain/ports/event-log.ts';
import { logInTime, openDeadline, refusedWhenLate } from './time.ts';

const open = () => {
  const time = { now: 0 };
  return { time, deadline: openDeadline(() => time.now) };
};

test('nothing is begun for a request whose time is over', async () => {
  const { time, deadline } = open();
  const made: string[] = [];
  const port = refusedWhenLate({ make: async (what: string) => made.push(what) }, deadline);
  await deadline.within(100, async () => {
    expect(await port.make('in time')).toBe(1);
    time.now = 100;
    await expect(port.make('late')).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable', retryAfter: 5 });
  });
  await port.make('without a request');
  expect(made).toEqual(['in time', 'without a request']);
});

test('receipts are waited for no longer than the request has, less what an answer takes', async () => {
  const { deadline } = open();
  const waited: number[] = [];
  const request: EventLog['request'] = async (_tenant, _records, { timeoutMs }) => {
    waited.push(timeoutMs);
    return { done: false };
  };
  const log = logInTime({ request } as EventLog, deadline);
  await log.request('t', [], { timeoutMs: 15_000 });
  await deadline.within(4_000, () => log.request('t', [], { timeoutMs: 15_000 }));
  await deadline.within(4_000, () => log.request('t', [], { timeoutMs: 1_000 }));
  expect(waited).toEqual([15_000, 3_500, 1_000]);
});
