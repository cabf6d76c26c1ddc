import { expect, test } from '@jest/globals';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, tokenWith } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import { openTokenWatch } from './token-watch.ts';

const DAY_MS = 86_400_000;
const world = accessOfTests('all');

const watching = () => {
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' });
  const lines: object[] = [];
  const log = { warn: (fields: object, message: string) => void lines.push({ ...fields, message }) };
  const watch = openTokenWatch({ ...world.ports, metrics }, log);
  const measured = async (series: string) => {
    await watch.look();
    const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.slice(series.length).replace('+Inf', 'Infinity'));
  };
  return { watch, lines, measured };
};

test('warns 14 days before a token expires: measurement, a line a day, /readyz', async () => {
  const { watch, lines, measured } = watching();
  expect(await measured('faultline_token_first_expiry_timestamp_seconds{kind="api_key"}')).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(watch.check()).toEqual({ name: 'tokens', ok: true, detail: 'none expires within 14 days' });
  const { record, token } = await tokenWith(world, { role: 'viewer', expiresIn: '20d' });
  await tokenWith(world, { role: 'ingest' });
  expect(await measured('faultline_tokens{state="active"}')).toBe(3);
  expect(await measured('faultline_token_first_expiry_timestamp_seconds{kind="api_key"}')).toBe(
    record.expiresAt! / 1_000,
  );
  expect(lines).toEqual([]);
  world.clock.advance(6 * DAY_MS);
  expect(await measured('faultline_tokens{state="expiring"}')).toBe(1);
  expect(watch.check()).toMatchObject({ ok: true, warn: true, detail: expect.stringMatching(/^1 expire within 14 d/) });
  expect(lines).toMatchObject([{ count: 1, tokens: [{ credentialId: record.id, tenant: 'default' }] }]);
  expect(JSON.stringify(lines)).not.toContain(token);
  world.clock.advance(DAY_MS - 1);
  await watch.look();
  expect(lines).toHaveLength(1);
  world.clock.advance(1);
  await watch.look();
  expect(lines).toHaveLength(2);
  const rotation = { id: record.id, overlap: '24h' };
  await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tokens.rotate'), rotation);
  expect(await measured('faultline_tokens{state="expiring"}')).toBe(0);
  expect(await measured('faultline_tokens{state="active"}')).toBe(3);
  world.clock.advance(21 * DAY_MS);
  expect(await measured('faultline_tokens{state="expired"}')).toBe(1);
});
