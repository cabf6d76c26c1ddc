import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

let [receiver, it]: [Server?, TestApp?] = [];
afterEach(async () => {
  await it?.stop();
  receiver?.close();
});

/** An OTLP/HTTP receiver. */
const openReceiver = async () => {
  const spans: Span[] = [];
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { resourceSpans } = JSON.parse(body);
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => receiver!.listen(0, '127.0.0.1', resolve));
  return { spans, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` };
};

const [TRACE, CALLER] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const event = {
  source: 's',
  sourceId: '1',
  severity: 'critical',
  title: 'Down',
  hostname: 'a',
  timestamp: START - 1_000,
};
const ingest = (headers: Record<string, string>) => it!.send('POST', '/api/events/ingest', event, { headers });

test("an event's request, correlation and sinks are in the trace of the caller", async () => {
  const { spans, url } = await openReceiver();
  it = await openTestApp({ FAULTLINE_OTLP_ENDPOINT: url });
  expect((await ingest({ traceparent: `00-${TRACE}-${CALLER}-01` })).status).toBe(201);
  await it.app.idle();
  await it.stop();
  it = undefined;
  const ours = spans.filter(({ traceId }) => traceId === TRACE);
  const server = ours.find(({ name }) => name === 'POST /api/events/ingest');
  expect(server?.parentSpanId).toBe(CALLER);
  const below = ours.filter(({ parentSpanId }) => parentSpanId === server!.spanId).map(({ name }) => name);
  expect(below).toContain('accept');
  expect(below.some((name) => name === 'correlate' || name === 'merge')).toBe(true);
  expect(below).toContain('sink notify');
  expect(ours.length).toBe(below.length + 1);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['a trace that the caller does not record', {}, { traceparent: `00-${TRACE}-${CALLER}-00` }],
  ['a share of none', { FAULTLINE_TRACE_RATIO: '0' }, {}],
])('%s leaves no span', async (_, settings, headers) => {
  const { spans, url } = await openReceiver();
  it = await openTestApp({ FAULTLINE_OTLP_ENDPOINT: url, FAULTLINE_TRACE_RATIO: '0', ...settings });
  expect((await ingest(headers)).status).toBe(201);
  await it.app.idle();
  await it.stop();
  it = undefined;
  expect(spans).toEqual([]);
});

test('a receiver that is down holds up nothing', async () => {
  it = await openTestApp({ FAULTLINE_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect((await ingest({})).status).toBe(201);
  await it.app.idle();
});
