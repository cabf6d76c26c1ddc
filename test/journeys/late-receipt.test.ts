import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

describe('the log takes a change of status, and its receipt does not come in time', () => {
  let app: TestApp;
  let eventId: string;
  beforeAll(async () => {
    app = await openTestApp();
    const event = { source: 'test', sourceId: '1', severity: 'major', title: 'Disk full', hostname: 'db-1' };
    eventId = (await app.send('POST', '/api/events/ingest', event)).body.eventId;
    jest.spyOn(app.app.ports.eventLog, 'request').mockResolvedValue({ done: false });
  });
  afterAll(() => app.stop());

  test.each([
    ['/api/events/', (body: never) => (body as { event: { status: string } }).event.status],
    ['/v1/events/', (body: never) => (body as { status: string }).status],
  ])('%s says that it is queued, and shows the event as it is', async (path, statusOf) => {
    const { status, body } = await app.send('PATCH', `${path}${eventId}/status`, { status: 'acknowledged' });
    expect([status, statusOf(body as never)]).toEqual([202, 'open']);
  });
});
