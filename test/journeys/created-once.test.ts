import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { endpoints } from '#whole';
import { STYLES } from './cmdb-styles.ts';
import { scanning } from './discovery-styles.ts';
import { changesOf } from './platform-changes.ts';

const app = appOfTests();

const isPost = new Set(
  endpoints.filter(({ mounts }) => mounts.some(({ method }) => method === 'post')).map(({ id }) => id),
);
/** They have no body that could differ. */
const BODILESS: ReadonlySet<string> = new Set(['ai-relationships.accept']);
/** Removes fields that a replay may not show again. */
const withoutSecret = ({ token: _, secret: __, note: ___, link: ____, ...rest }: Readonly<Record<string, unknown>>) =>
  rest;

describe.each(STYLES)('An Idempotency-Key under %s', (prefix, style) => {
  const creating = changesOf(prefix).filter(([endpoint]) => isPost.has(endpoint));
  test.each(creating)('%s is carried out once', async (_, change) => {
    const tenant = await scanning(app, style);
    const of = (await change.furnish?.(tenant)) ?? '';
    const trail = async () => (await tenant.send('GET', `/api/admin/audit?action=${change.action}`)).data.length;
    const earlier = await trail();
    const ask = (n: number, key: string) => change.ask(tenant, { 'idempotency-key': key }, of, n);
    const [first, again] = [await ask(0, 'k'), await ask(0, 'k')];
    expect(first.status).toBeLessThan(300);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const [told, repeated] = [first, again].map(({ data, body }) => data ?? body);
    expect(withoutSecret(repeated)).toEqual(withoutSecret(told));
    for (const secret of ['token', 'secret', 'link']) if (secret in told) expect(repeated[secret]).toBeNull();
    expect(await trail()).toBe(earlier + 1);

    if (!BODILESS.has(change.endpoint)) expect((await ask(1, 'k')).status).toBe(422);
    const other = await scanning(app, style);
    const elsewhere = await change.ask(other, { 'idempotency-key': 'k' }, (await change.furnish?.(other)) ?? '', 0);
    expect([elsewhere.status, elsewhere.headers.get('idempotency-replayed')]).toEqual([first.status, null]);
    await app.app.idle();
  });
});
