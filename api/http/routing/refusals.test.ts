import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import type { Exchange } from './exchange.ts';
import { openRefusals } from './refusals.ts';

const opened = () => {
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' });
  const lines: object[] = [];
  const line = (fields: object) => void lines.push(fields);
  const refusals = openRefusals(metrics, { debug: line, info: line, warn: line, error: line });
  const measured = async (series: string) => (await text()).split('\n').find((one) => one.startsWith(series));
  return { refusals, lines, measured };
};
const exchange = (tenant: string, receivedAt: number) =>
  ({ tenant, receivedAt, requestId: 'r', caller: { id: 'feed' } }) as unknown as Exchange;
const over = (named: string) =>
  new Fault('rate-limited', 'Too many', [], { limited: { class: named, reason: 'minute' } });

test('one line per class, tenant and minute; every refusal is counted', async () => {
  const { refusals, lines, measured } = opened();
  for (let second = 0; second < 90; second += 1) {
    refusals.note(exchange('a', second * 1_000), 'ingest', over('ingest'));
    if (second === 0) refusals.note(exchange('b', 0), 'ingest', over('ingest'));
    if (second === 0) refusals.note(exchange('a', 0), 'bulk', over('bulk'));
  }
  expect(lines).toMatchObject([
    { class: 'ingest', tenant: 'a', actor: 'feed', refusedBefore: 0 },
    { class: 'ingest', tenant: 'b' },
    { class: 'bulk', tenant: 'a' },
    { class: 'ingest', tenant: 'a', refusedBefore: 59 },
  ]);
  expect(await measured('faultline_requests_limited_total{class="ingest",reason="minute"}')).toMatch(/ 91$/);
});

test('logins and a busy service are told from numbers that are reached', async () => {
  const { refusals, measured } = opened();
  refusals.note(exchange('a', 0), 'none', new Fault('rate-limited', 'Too many failed logins'));
  refusals.note(exchange('a', 0), 'bulk', new Fault('rate-limited', 'The log takes no more'));
  expect(await measured('faultline_requests_limited_total{class="none",reason="logins"}')).toMatch(/ 1$/);
  expect(await measured('faultline_requests_limited_total{class="bulk",reason="busy"}')).toMatch(/ 1$/);
});

test('a refused credential is named and counted by class and reason', async () => {
  const { refusals, lines, measured } = opened();
  const refused = { reason: 'expired', credentialId: '01X', tenant: 't' } as const;
  const fault = new Fault('unauthenticated', 'Authentication required. Send a valid bearer token.', [], { refused });
  expect(refusals.note(exchange('', 0), 'webhook', fault)).toEqual({
    refused: 'expired',
    credentialId: '01X',
    tenant: 't',
  });
  expect(lines).toEqual([]);
  expect(await measured('faultline_credentials_refused_total{class="webhook",reason="expired"}')).toMatch(/ 1$/);
  expect(refusals.note(exchange('', 0), 'webhook', new Fault('invalid', 'x'))).toEqual({});
});
