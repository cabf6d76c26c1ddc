import { afterEach, expect, jest, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();
afterEach(() => void jest.restoreAllMocks());

/** The log answers for these records of a request that they were set aside. */
const refuse = (...refused: readonly number[]) => {
  const { eventLog } = app.app.ports;
  const request = eventLog.request.bind(eventLog);
  jest.spyOn(eventLog, 'request').mockImplementation(async (...asked) => {
    const reply = await request(...asked);
    const failed = { ok: false, fault: 'internal', message: 'The record could not be handled' } as const;
    if (!reply.done) return reply;
    return { ...reply, receipts: reply.receipts.map((receipt, index) => (refused.includes(index) ? failed : receipt)) };
  });
};

const alert = (name: string, labels = { alertname: name, instance: name, severity: 'critical' }) => ({
  status: 'firing',
  labels,
  annotations: { summary: `${name} is down` },
  startsAt: '2026-11-20T09:59:00Z',
  fingerprint: name,
});
const post = (...alerts: readonly object[]) =>
  app.send('POST', '/api/events/webhook/prometheus', { version: '4', receiver: 'r', status: 'firing', alerts });

test('an alert whose record is set aside fails alone, under its number in the body', async () => {
  refuse(1);
  const { status, body } = await post(alert('a'), { status: 'firing' }, alert('b'), alert('c'));
  expect([status, body.received, body.results.map(({ status: what }: { status: string }) => what)]).toEqual([
    200,
    4,
    ['created', 'created'],
  ]);
  expect(body.rejected.map(({ index }: { index: number }) => index)).toEqual([1, 2]);
  expect(body.rejected[1].error).toBe('The record could not be handled');
});

test('when nothing of a body could be handled, the monitor is told to send it again', async () => {
  refuse(0);
  expect((await post(alert('d'))).status).toBe(500);
});
