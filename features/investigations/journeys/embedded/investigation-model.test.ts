import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '#app';
import type { ModelStub } from '#features/ai/journeys/model-stub.ts';
import { startWithModel } from '#features/ai/journeys/start-with-model.ts';
import { virtualTime } from '#test/setup/virtual-time.ts';

/* Nothing waits for a model that hangs. */

const HEADERS = { authorization: 'Bearer bootstrap-token-of-the-tests', 'content-type': 'application/json' };
const time = virtualTime();
let stub: ModelStub;
let app: App;
let stop: () => Promise<void>;
let path: string;
beforeAll(async () => {
  ({ stub, app, stop } = await startWithModel(time));
  const post = async (to: string, body: object) => {
    const response = await fetch(app.url + to, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes.
    return (await response.json()) as any;
  };
  const [sw, db] = [
    (await post('/v1/cmdb/ci', { name: 'sw-1', type: 'switch' })).id,
    (await post('/v1/cmdb/ci', { name: 'db-1', type: 'database' })).id,
  ];
  await post('/v1/cmdb/relationships', { type: 'depends_on', source_ci: db, target_ci: sw });
  const ingest = (hostname: string, title: string) =>
    post('/api/events/ingest', { source: 'zabbix', sourceId: hostname, severity: 'critical', title, hostname });
  const { eventId } = await ingest('sw-1', 'Link down');
  await ingest('db-1', 'PostgreSQL unreachable');
  await app.idle();
  const shown = await fetch(`${app.url}/api/events/${eventId}`, { headers: HEADERS });
  const { event } = (await shown.json()) as { readonly event: { readonly correlationId: string } };
  path = `/api/events/groups/${event.correlationId}/investigate`;
});
afterAll(() => stop());

test('the first sentence comes while the model hangs, and the rules go on without it', async () => {
  stub.plays({ hangs: 'before' });
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { ...HEADERS, accept: 'text/event-stream' },
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const read = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  };
  await read('event: hypothesis');
  expect(text).toMatch(/^retry: \d+\n\nevent: begin\ndata: \{.*root cause/);
  expect(text).not.toContain('event: check');
  const before = time.clock.now();
  await time.run(read('event: end'));
  const end = JSON.parse(/event: end\ndata: (.*)\n/.exec(text)![1]!);
  expect(end).toMatchObject({ complete: true, model: null, degraded: 'timeout' });
  expect(time.clock.now() - before).toBeLessThan(15_000);
});
