import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { Reply } from '#test/setup/test-app.ts';
import { STYLES, speaking } from '../cmdb-styles.ts';
import { expectBody } from '../refusals.ts';

const app = appOfTests();
afterEach(() => void jest.restoreAllMocks());

const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const CI = { name: 'a', type: 'server' };
type Tenant = Awaited<ReturnType<typeof speaking>>;

/** One kind of refusal: the status, the code in either style, and the invalid field. */
interface Refusal {
  readonly status: number;
  readonly codes: readonly [v1: string, api: string];
  readonly field?: string;
  readonly ask: (tenant: Tenant, prefix: string) => Promise<Reply>;
}
const storeFails = (error: Error) => jest.spyOn(app.app.ports.topology, 'findCis').mockRejectedValue(error as never);

const INVALID = ['VALIDATION_ERROR', 'VALIDATION_ERROR'] as const;
const UNAUTHENTICATED = ['AUTHENTICATION_REQUIRED', 'UNAUTHORIZED'] as const;
const DENIED = ['PERMISSION_DENIED', 'FORBIDDEN'] as const;
const MISSING = ['RESOURCE_NOT_FOUND', 'NOT_FOUND'] as const;
const CONFLICT = ['CONFLICT', 'CONFLICT'] as const;

const REFUSALS: readonly (readonly [what: string, refusal: Refusal])[] = [
  [
    'a field that is missing',
    { status: 400, codes: INVALID, field: 'name', ask: ({ send }) => send('POST', '/cmdb/ci', { type: 'x' }) },
  ],
  [
    'a field that nobody knows',
    {
      status: 400,
      codes: INVALID,
      field: 'colour',
      ask: ({ send }) => send('POST', '/cmdb/ci', { ...CI, colour: 'red' }),
    },
  ],
  [
    'a parameter that nobody knows',
    { status: 400, codes: INVALID, field: 'colour', ask: ({ send }) => send('GET', '/cmdb/ci?colour=red') },
  ],
  [
    'a body that is no JSON',
    { status: 400, codes: INVALID, field: 'body', ask: ({ send }) => send('POST', '/cmdb/ci', '{"name":') },
  ],
  [
    'another type of content',
    {
      status: 400,
      codes: INVALID,
      field: 'Content-Type',
      ask: ({ send }) => send('POST', '/cmdb/ci', CI, { 'content-type': 'text/plain' }),
    },
  ],
  [
    'an id inside a body that nobody has',
    {
      status: 400,
      codes: INVALID,
      field: 'source_ci',
      ask: async ({ send, ci }) =>
        send('POST', '/cmdb/relationships', { type: 'uses', source_ci: NOBODY, target_ci: await ci('a') }),
    },
  ],
  [
    'no credential',
    {
      status: 401,
      codes: UNAUTHENTICATED,
      ask: (_, prefix) => app.send('GET', `${prefix}/cmdb/ci`, undefined, { token: null }),
    },
  ],
  [
    'a wrong credential, before the body is looked at',
    {
      status: 401,
      codes: UNAUTHENTICATED,
      ask: (_, prefix) => app.send('POST', `${prefix}/cmdb/ci`, '{"name":', { token: 'flt_wrong' }),
    },
  ],
  [
    'a role that may not',
    {
      status: 403,
      codes: DENIED,
      ask: async ({ tenant }, prefix) =>
        app.send('POST', `${prefix}/cmdb/ci`, CI, { token: await app.tenant(tenant, 'viewer') }),
    },
  ],
  [
    'the tenant of somebody else',
    { status: 403, codes: DENIED, ask: ({ send }) => send('GET', '/cmdb/ci', undefined, { 'x-tenant-id': 'default' }) },
  ],
  ['an id that nobody has', { status: 404, codes: MISSING, ask: ({ send }) => send('GET', `/cmdb/ci/${NOBODY}`) }],
  ['an id that is none', { status: 404, codes: MISSING, ask: ({ send }) => send('GET', '/cmdb/ci/%20') }],
  ['a path that leads nowhere', { status: 404, codes: MISSING, ask: ({ send }) => send('GET', '/cmdb/nothing/here') }],
  ['another method', { status: 405, codes: MISSING, ask: ({ send }) => send('PATCH', '/cmdb/ci', CI) }],
  [
    'a key that is taken',
    {
      status: 409,
      codes: CONFLICT,
      field: 'external_key',
      ask: async ({ send, ci }) => {
        await ci('a', { external_key: 'k' });
        return send('POST', '/cmdb/ci', { ...CI, external_key: 'k' });
      },
    },
  ],
  [
    'something that others need',
    {
      status: 409,
      codes: CONFLICT,
      ask: async ({ send, ci, join }) => {
        const [a, b] = [await ci('a'), await ci('b')];
        await join(a, b);
        return send('DELETE', `/cmdb/ci/${b}`);
      },
    },
  ],
  [
    'a version that is not the last',
    {
      status: 412,
      codes: CONFLICT,
      ask: async ({ send, ci }) => send('PUT', `/cmdb/ci/${await ci('a')}`, { name: 'b' }, { 'if-match': '"7"' }),
    },
  ],
  [
    'a body that is too large',
    {
      status: 413,
      codes: INVALID,
      field: 'body',
      ask: ({ send }) => send('POST', '/cmdb/ci', { ...CI, description: 'x'.repeat(1_100_000) }),
    },
  ],
  [
    'a key of another request',
    {
      status: 422,
      codes: CONFLICT,
      field: 'Idempotency-Key',
      ask: async ({ send }) => {
        await send('POST', '/cmdb/ci', CI, { 'idempotency-key': 'k' });
        return send('POST', '/cmdb/ci', { ...CI, name: 'b' }, { 'idempotency-key': 'k' });
      },
    },
  ],
  [
    'a store that is down',
    {
      status: 503,
      codes: ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
      ask: ({ send }) => {
        storeFails(new Fault('unavailable', 'The store is down'));
        return send('GET', '/cmdb/ci');
      },
    },
  ],
  [
    'a mistake of ours',
    {
      status: 500,
      codes: ['INTERNAL_ERROR', 'INTERNAL_ERROR'],
      ask: ({ send }) => {
        storeFails(new Error('SELECT secret FROM /srv/x'));
        return send('GET', '/cmdb/ci');
      },
    },
  ],
];

describe.each(STYLES)('Refusals under %s', (prefix, style) => {
  test.each(REFUSALS)('%s', async (_, { status, codes, field, ask }) => {
    const reply = await ask(await speaking(app, style), prefix);
    expect(reply.status).toBe(status);
    expectBody(prefix, reply, codes[prefix === '/v1' ? 0 : 1], field);
    if (status === 405) expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
    if (status === 503) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    if (status === 401) expect(reply.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('the id of a request is the caller’s', async () => {
    const { send } = await speaking(app, style);
    const headers = { 'x-request-id': 'mine-1' };
    expect((await send('GET', '/cmdb/ci', undefined, headers)).headers.get('x-request-id')).toBe('mine-1');
    expectBody(
      prefix,
      await send('GET', '/cmdb/ci/x', undefined, headers),
      prefix === '/v1' ? 'RESOURCE_NOT_FOUND' : 'NOT_FOUND',
      undefined,
    );
  });
});
