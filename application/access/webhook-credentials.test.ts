import { describe, expect, test } from '@jest/globals';
import { credentials, jwtOf, tokenWith, userOf, type Wanted } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('all', 'other');

const unauthenticated = { kind: 'unauthenticated' };

describe('credentials of webhooks', () => {
  const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`;

  test('Basic with an API token as password, on lenient endpoints only', async () => {
    const { token } = await tokenWith(world, { role: 'ingest' });
    const authorization = basic(token);
    await expect(world.authenticate(credentials({ authorization, lenient: true }))).resolves.toBeDefined();
    await expect(world.authenticate(credentials({ authorization }))).rejects.toMatchObject(unauthenticated);
  });

  test('Basic with a JWT or without a colon is refused', async () => {
    const jwt = await jwtOf(world, 'other', await userOf(world, 'other', 'basic', 'admin'));
    for (const authorization of [basic(jwt), `Basic ${Buffer.from('nothing').toString('base64')}`, 'Basic !!'])
      await expect(world.authenticate(credentials({ authorization, lenient: true }))).rejects.toMatchObject(
        unauthenticated,
      );
  });

  test('?token= of a token whose only scope is events.webhook', async () => {
    const { token: queryToken } = await tokenWith(world, { scopes: ['events.webhook'] });
    await expect(world.authenticate(credentials({ queryToken, lenient: true }))).resolves.toMatchObject({
      tenant: 'default',
    });
    await expect(world.authenticate(credentials({ queryToken }))).rejects.toMatchObject(unauthenticated);
  });

  test.each<Wanted>([{ role: 'ingest' }, { scopes: ['events.webhook', 'events.read'] }, { scopes: ['events.ingest'] }])(
    '?token= of a token with %p is refused',
    async (wanted) => {
      const { token: queryToken } = await tokenWith(world, wanted);
      await expect(world.authenticate(credentials({ queryToken, lenient: true }))).rejects.toMatchObject({
        ...unauthenticated,
        message: 'Only tokens whose single scope is events.webhook may be sent as a query parameter',
        refused: { reason: 'query', tenant: 'default' },
      });
    },
  );

  test('?token= that is unknown learns nothing', () =>
    expect(world.authenticate(credentials({ queryToken: 'flt_x', lenient: true }))).rejects.toMatchObject({
      message: 'Authentication required. Send a valid bearer token.',
      refused: { reason: 'unknown' },
    }));
});
