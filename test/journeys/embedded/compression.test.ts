import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { TOKEN } from '#test/setup/test-app.ts';

const app = appOfTests();
beforeAll(async () => {
  const events = Array.from({ length: 40 }, (_, i) => ({
    sourceId: `${i}`,
    severity: 'minor',
    title: `Disk full on volume ${i}`,
    hostname: `host-${i}`,
  }));
  await app.send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  await app.send('POST', '/v1/cmdb/ci', { name: 'sw-1', type: 'network' });
});

interface Raw {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}
/** Returns the raw reply. */
const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${TOKEN}`, ...headers } };
    get(app.url + path, options, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ headers: response.headers, bytes: Buffer.concat(parts) });
    }).on('error', reject);
  });

const LIST = '/api/events?limit=40';

describe('replies', () => {
  test.each([{}, { origin: 'https://ui.example' }])(
    'of 4 KiB and more are compressed for who asks (%j)',
    async (more) => {
      const [packed, plain] = [await ask(LIST, { 'accept-encoding': 'gzip', ...more }), await ask(LIST, more)];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.vary).toMatch(/Accept-Encoding/);
      expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
      expect(packed.bytes.length * 5).toBeLessThan(plain.bytes.length);
    },
  );

  test('below that leave as they are', async () => {
    const { headers, bytes } = await ask('/api/events?limit=1', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(Number(headers['content-length'])).toBe(bytes.length);
  });

  test('leave as they are for who refuses', async () => {
    expect((await ask(LIST, { 'accept-encoding': 'gzip;q=0, identity' })).headers['content-encoding']).toBeUndefined();
  });

  testWith('cmdb.export-ci')('that are streams are compressed, too', async () => {
    const { headers, bytes } = await ask('/v1/cmdb/export/ci?format=csv', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toContain('sw-1');
  });
});
