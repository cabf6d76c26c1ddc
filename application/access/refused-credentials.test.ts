import { expect, test } from '@jest/globals';
import { adminEndpoint, BOOTSTRAP_TOKEN, jwtOf, tokenWith, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('all');

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the logged reason; the caller receives the same message each time. */
const refusedAs = async (token: string) => {
  const fault = await world.as(token).then(
    () => null,
    (error) => error,
  );
  expect(fault).toMatchObject({
    kind: 'unauthenticated',
    message: 'Authentication required. Send a valid bearer token.',
  });
  expect(JSON.stringify({ ...fault.refused, data: fault.data })).not.toContain(token);
  return fault.refused;
};

test('an expired token is named for 30 days', async () => {
  const { token, record } = await tokenWith(world, { role: 'viewer', expiresIn: '2h' });
  world.clock.advance(2 * HOUR_MS);
  expect(await refusedAs(token)).toEqual({ reason: 'expired', credentialId: record.id, tenant: 'default' });
  world.clock.advance(30 * DAY_MS);
  expect(await refusedAs(token)).toEqual({ reason: 'unknown' });
});

test('a revoked token is named for 30 days, with the values before a rotation', async () => {
  const { token, record } = await tokenWith(world, { role: 'ingest' });
  const rotate = adminEndpoint('admin.tokens.rotate');
  const next = await world.call<{ token: string }>(BOOTSTRAP_TOKEN, rotate, { id: record.id, overlap: '24h' });
  await world.as(token);
  await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tokens.revoke'), record.id);
  const revoked = { reason: 'revoked', credentialId: record.id, tenant: 'default' };
  expect([await refusedAs(token), await refusedAs(next.token)]).toEqual([revoked, revoked]);
  world.clock.advance(30 * DAY_MS);
  expect(await refusedAs(token)).toEqual({ reason: 'unknown' });
});

test('a value before a rotation is told from an expired one', async () => {
  const { token, record } = await tokenWith(world, { role: 'ingest' });
  await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tokens.rotate'), { id: record.id, overlap: '1h' });
  await world.as(token);
  world.clock.advance(HOUR_MS);
  expect(await refusedAs(token)).toMatchObject({ reason: 'rotated', credentialId: record.id });
});

test('other reasons', async () => {
  expect(await refusedAs('flt_nothing')).toEqual({ reason: 'unknown' });
  const jwt = await jwtOf(world, 'default', await userOf(world, 'default', 'eva', 'viewer'));
  world.clock.advance(HOUR_MS);
  expect(await refusedAs(jwt)).toEqual({ reason: 'session' });
  await expect(world.as('', { authorization: undefined })).rejects.toMatchObject({ refused: { reason: 'missing' } });
  await expect(world.as(BOOTSTRAP_TOKEN, { tenantHeader: 'nowhere' })).rejects.toMatchObject({
    refused: { reason: 'tenant', credentialId: 'bootstrap' },
  });
});
