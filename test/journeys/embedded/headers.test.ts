import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES } from '../cmdb-styles.ts';

const OURS = 'https://ui.example.org';
const app = appOfTests({ FAULTLINE_CORS_ORIGINS: `${OURS},https://other.example.org` });

/** Headers of every reply. */
const SECURITY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'content-security-policy': expect.stringContaining("default-src 'self'"),
};

describe.each(STYLES)('Replies under %s', (prefix) => {
  test.each([
    ['a success', '/cmdb/ci', 200],
    ['a refusal', '/cmdb/ci?colour=red', 400],
    ['nothing', '/nowhere', 404],
  ])('%s has security headers and tells nothing of the server', async (_, path, status) => {
    const reply = await app.send('GET', prefix + path);
    expect(reply.status).toBe(status);
    expect(Object.fromEntries(reply.headers)).toMatchObject(SECURITY);
    const absent = ['x-powered-by', 'server', 'strict-transport-security'];
    expect(absent.map((name) => reply.headers.get(name))).toEqual([null, null, null]);
  });

  test('browsers may read them from the origins on the list alone', async () => {
    const from = async (origin: string) => {
      const { status, headers } = await app.send('GET', `${prefix}/cmdb/ci`, undefined, { headers: { origin } });
      return [status, headers.get('access-control-allow-origin')];
    };
    expect(await from(OURS)).toEqual([200, OURS]);
    expect(await from('https://other.example.org')).toEqual([200, 'https://other.example.org']);
    for (const stranger of ['https://evil.example.org', 'https://ui.example.org.evil', 'http://ui.example.org', 'null'])
      expect(await from(stranger)).toEqual([200, null]);
  });

  test('are asked for beforehand without a credential', async () => {
    const preflight = async (origin: string) => {
      const headers = {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      };
      const { status, headers: answered } = await app.send('OPTIONS', `${prefix}/cmdb/ci/x`, undefined, {
        token: null,
        headers,
      });
      return [status, answered.get('access-control-allow-origin'), answered.get('access-control-allow-methods')];
    };
    expect(await preflight(OURS)).toEqual([204, OURS, expect.stringContaining('PUT')]);
    expect((await preflight('https://evil.example.org'))[1]).toBeNull();
  });
});
