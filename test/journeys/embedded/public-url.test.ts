import { expect, test } from '@jest/globals';
import { openTestApp } from '#test/setup/test-app.ts';

/** Every address that a client gets to follow. */
const addresses = async (env: Readonly<Record<string, string>>) => {
  const { send, stop } = await openTestApp(env);
  const created = await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' });
  const [v1, api] = [await send('GET', '/v1/cmdb/ci'), await send('GET', '/api/cmdb/ci')];
  await stop();
  return {
    id: created.body.id as string,
    location: created.headers.get('location'),
    link: v1.headers.get('link'),
    hrefs: [v1, api].map(({ body }) => body.data[0].relationships.href),
  };
};

test.each([
  [{}, ''],
  [{ FAULTLINE_PUBLIC_URL: 'https://ops.example/faultline/' }, 'https://ops.example/faultline'],
])('with %j addresses begin with "%s"', async (env, base) => {
  const { id, location, link, hrefs } = await addresses(env);
  expect(location).toBe(`${base}/v1/cmdb/ci/${id}`);
  expect(link).toContain(`<${base}/v1/cmdb/ci?page=1>; rel="first"`);
  expect(new Set(hrefs)).toEqual(new Set([`${base}/v1/cmdb/relationships?ci=${id}`]));
});

test('the root of the address leads to the console, which finds its files', async () => {
  const it = await openTestApp();
  try {
    const root = await fetch(it.url);
    expect([root.status, root.url]).toEqual([200, `${it.url}/ui/`]);
    const page = await root.text();
    const addresses = [...page.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, address]) => address as string);
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) expect((await fetch(new URL(address, root.url))).status).toBe(200);
  } finally {
    await it.stop();
  }
});
