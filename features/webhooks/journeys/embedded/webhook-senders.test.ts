import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { alertmanagerPage, otelLogs } from '#sources/samples-for-tests.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

/* Senders with special behavior. */

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'senders');

const post = (path: string, body: unknown) => own.send('POST', `/api/events/webhook/${path}`, body);

describe('a collector of OpenTelemetry', () => {
  test.each(['otel', 'otlp', 'opentelemetry'])('may put /v1/logs behind %s', async (name) => {
    const reply = await post(`${name}/v1/logs`, otelLogs);
    expect(reply).toMatchObject({ status: 200, body: { source: 'otel', received: 2, rejected: [] } });
  });

  test.each(['otel/v1/traces', 'zabbix/v1/logs', 'otel/v1'])('finds nothing at %s', async (path) => {
    expect((await post(path, otelLogs)).status).toBe(404);
  });

  test.each([
    ['', '\n\u0003abc'],
    [' with more colons and braces than JSON may have', '\n{'.repeat(40) + ':'.repeat(20_000)],
  ])('is told what to set when it sends protobuf%s', async (_, text) => {
    const reply = await fetch(`${app.url}/api/events/webhook/otel/v1/logs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${own.token}`,
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
      },
      body: gzipSync(text),
    });
    expect(reply.status).toBe(400);
    expect(((await reply.json()) as { message: string }).message).toContain('set "encoding: json"');
  });
});

describe('the PagerDuty receiver of Alertmanager', () => {
  const shown = async (eventId: string) => (await own.send('GET', `/api/events/${eventId}`)).body.event;
  const page = async (...alerts: Parameters<typeof alertmanagerPage>) =>
    (await post('pagerduty', alertmanagerPage(...alerts))).body.results[0].eventId as string;
  const alert = (instance: string) => ({ alertname: 'NodeDown', instance, job: 'node' });

  test('tells of machines, never of itself', async () => {
    const [first, second] = [await page([alert('m-1:9100')], 'k1'), await page([alert('m-2:9100')], 'k2')];
    expect([(await shown(first)).hostname, (await shown(second)).hostname]).toEqual(['m-1', 'm-2']);
  });

  test('two messages about several machines each are two events, and each ends by itself', async () => {
    const both = [alert('m-3:9100'), alert('m-4:9100')];
    const [first, second] = [await page(both, 'k3'), await page(both, 'k4')];
    expect(second).not.toBe(first);
    expect(await shown(first)).not.toHaveProperty('hostname');
    await post('pagerduty', { ...alertmanagerPage([], 'k3'), event_action: 'resolve' });
    expect([(await shown(first)).status, (await shown(second)).status]).toEqual(['resolved', 'open']);
  });
});
