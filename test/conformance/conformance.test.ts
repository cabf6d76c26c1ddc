import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { openapiDocument } from '#api/http/openapi/document.ts';
import { pathOf, routes } from '#api/http/routing/routes.ts';
import { type AnyEndpoint, type AnyMount, isOpen } from '#api/surfaces/endpoint.ts';
import { SURFACES } from '#api/surfaces/surfaces.ts';
import { PERMISSIONS } from '#domain/access/permissions.ts';
import { isUpdate } from '#test/setup/is-update.ts';
import { endpoints } from '#whole';
import { goldenOf } from './golden.ts';
import { badRequest, type Case, casesOf, requestIdIn } from './requests.ts';
import { samples } from './samples.ts';
import { openTestServer, type TestServer, TOKEN } from './test-server.ts';

const GOLDEN = new URL('./openapi.golden.txt', import.meta.url);

const documents = new Map<readonly AnyEndpoint[], ReturnType<typeof openapiDocument>>();
/** Made once per list. */
function documentOf(list: readonly AnyEndpoint[]) {
  const document = documents.get(list) ?? openapiDocument(routes(list).all, { version: '0.0.0', baseUrl: '' });
  documents.set(list, document);
  return document;
}

interface Exemplified {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, Exemplified['requestBody']>>;
}
/** Returns schemas of the bodies that a mount accepts, by media type. */
const bodiesOf = ({ body, bodyTypes }: AnyMount): Readonly<Record<string, z.ZodType>> =>
  bodyTypes ?? (body === undefined ? {} : { 'application/json': body });

/** Rules for every mount of these endpoints; all of them are decided before a handler runs. */
function conforms(name: string, list: readonly AnyEndpoint[]) {
  describe(`${name} conforms`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await openTestServer(list, { limits: { scale: 1000 } });
    });
    afterAll(() => server.close());

    const send = async ({ mount }: Case, path: string, token: string | null, body: string | null) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (token !== null) headers.authorization = `Bearer ${token}`;
      const init = { method: mount.method.toUpperCase(), headers, body: mount.method === 'get' ? null : body };
      const response = await fetch(server.url + path, init);
      return { response, body: (await response.json()) as never };
    };
    const expectError = ({ mount }: Case, { response, body }: Awaited<ReturnType<typeof send>>) => {
      const { errorSchema } = SURFACES[mount.on];
      expect(errorSchema.safeParse(body).error).toBeUndefined();
      const requestId = response.headers.get('x-request-id');
      expect(requestId).toBeTruthy();
      const idIn = requestIdIn[mount.on];
      if (idIn !== null) expect(idIn(body)).toBe(requestId);
    };
    const closed = casesOf(list).filter(({ endpoint }) => !isOpen(endpoint));
    const all = casesOf(list).map((one) => [one.title, one] as const);
    const guarded = closed.map((one) => [one.title, one] as const);
    const restricted = guarded.filter(([, { endpoint }]) => endpoint.permission !== null);

    test.each(guarded)('%s: no token, 401', async (_, one) => {
      const reply = await send(one, one.path, null, '{"broken":');
      expect(reply.response.status).toBe(401);
      expectError(one, reply);
      expect(reply.response.headers.has('x-ratelimit-limit')).toBe(false);
    });

    test.each(restricted)('%s: no permission, 403, before reading', async (_, one) => {
      const reply = await send(one, one.path, 'none', '{"broken":');
      expect(reply.response.status).toBe(403);
      expectError(one, reply);
    });

    test.each(all)('%s: a bad request, with limits', async (_, one) => {
      const bad = badRequest(one);
      const reply = await send(one, bad.path, TOKEN, bad.body);
      // A path parameter that is malformed is an unknown one.
      const { status: invalid } = SURFACES[one.mount.on].faults.invalid;
      expect([invalid, ...(one.path === pathOf(one.mount) ? [] : [404])]).toContain(reply.response.status);
      expectError(one, reply);
      const limited = one.endpoint.limit !== 'none';
      for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        expect(reply.response.headers.has(header)).toBe(limited);
    });

    test.each(all)('%s: is documented', (_, { endpoint, mount }) => {
      const document = documentOf(list);
      const operation = document.paths?.[pathOf(mount)]?.[mount.method];
      expect(operation?.summary).toBe(endpoint.summary);
      expect(operation?.description).toContain(`Permission: ${endpoint.permission ?? 'none'}`);
      expect(operation?.responses?.[String(mount.status ?? 200)]).toBeDefined();
      const headers = (operation?.parameters as { in: string; name: string }[] | undefined) ?? [];
      const named = headers.filter((one) => one.in === 'header').map(({ name }) => name);
      const hasCaller = endpoint.permission !== null || endpoint.anyCredential === true;
      const isKeyed = mount.method === 'post' && hasCaller && !endpoint.id.startsWith('auth.');
      expect(named).toEqual([
        ...(isKeyed ? ['Idempotency-Key'] : []),
        ...(endpoint.conditional ? ['If-Match'] : []),
        ...Object.keys(endpoint.headers ?? {}),
      ]);
    });

    test.each(all)('%s: its examples fit its schemas', (_, { mount }) => {
      const operation = documentOf(list).paths?.[pathOf(mount)]?.[mount.method] as Exemplified | undefined;
      for (const [type, schema] of Object.entries(bodiesOf(mount)))
        expect(schema.safeParse(operation?.requestBody?.content[type]?.example).error).toBeUndefined();
      if (mount.replyType !== undefined) return;
      const reply = operation?.responses[String(mount.status ?? 200)]?.content?.['application/json'];
      expect(mount.reply.safeParse(reply?.example).error).toBeUndefined();
    });

    test('permissions exist, and what needs one is limited', () => {
      for (const { permission, limit } of list)
        if (permission !== null) expect([PERMISSIONS.includes(permission), limit !== 'none']).toEqual([true, true]);
    });

    test('ids, methods with paths, and operation ids are unique', () => {
      const ids = list.map(({ id }) => id);
      expect(ids.length).toBe(new Set(ids).size);
      const document = documentOf(list);
      const operations = routes(list).all.map(
        ({ template, mount }) => document.paths?.[template]?.[mount.method]?.operationId,
      );
      expect(new Set(operations).size).toBe(casesOf(list).length);
    });

    test('path parameters of a mount are those of its schema', () => {
      for (const { mount } of casesOf(list)) {
        const shape = (mount.params as { shape?: object } | undefined)?.shape;
        const names = [...pathOf(mount).matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
        if (shape !== undefined) expect(Object.keys(shape).sort()).toEqual(names.sort());
      }
    });
  });
}

conforms('the samples', samples);
conforms('the service', endpoints);

/** Verbs of operations. */
const VERBS: ReadonlySet<string> = new Set(
  (
    'Accept Acknowledge Add Analyze Answer Ask Assess Assign Change Check Classify Confirm Correlate Count Create Debug Delete Discard ' +
    'Discover Download End Enrich Explain Export Find Generate Get Import Ingest Invite List Load Log Merge Pause Preview Propose Record ' +
    'Redeliver Redirect Refresh Reject Reopen Replace Replay Resolve Restore Resume Revoke Rotate Save Search Send Sign Split Start Stream ' +
    'Submit Unacknowledge Undo Update'
  ).split(' '),
);

test('summaries are a verb and its object, in at most eight words', () => {
  const wrong = endpoints.flatMap(({ summary }) => {
    const words = summary.split(' ');
    return VERBS.has(words[0]!) && words.length <= 8 && !summary.endsWith('.') ? [] : [summary];
  });
  expect(wrong).toEqual([]);
});

const descriptionsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => {
        if (key === 'example' || key === 'examples') return [];
        return key === 'description' && typeof inner === 'string' ? [inner] : descriptionsIn(inner);
      });

test('descriptions begin with a noun or a verb, and write 95% without a blank', () => {
  const all = [...new Set(descriptionsIn(documentOf(endpoints)))];
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((text) => /^(?:Of|What|Who|Whose|That|Also|Else|Those|Whether|How)\b| %/.test(text))).toEqual([]);
});

test('the document is the one that was agreed on (update: npm test -- test/conformance/conformance -u)', () => {
  const lines = goldenOf(documentOf(endpoints)).split('\n');
  if (isUpdate()) writeFileSync(GOLDEN, lines.join('\n'));
  expect(lines).toEqual(readFileSync(GOLDEN, 'utf8').split('\n'));
});

const TYPES: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', Number.isInteger],
  ['number', (value) => typeof value === 'number'],
  ['array', Array.isArray],
]);
/** Returns whether each default in the document has the type of its schema. */
const defaultsIn = (value: unknown): { readonly schema: object; readonly isRight: boolean }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(defaultsIn);
  const isOfType = 'default' in value && 'type' in value ? TYPES.get(value.type) : undefined;
  return isOfType === undefined
    ? inner
    : [{ schema: value, isRight: isOfType((value as { default: unknown }).default) }, ...inner];
};

test('every default has the type of its schema', () => {
  const all = defaultsIn(documentOf(endpoints));
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter(({ isRight }) => !isRight)).toEqual([]);
});

/** Media types that client generators know. */
const GENERATED = ['application/json', 'application/octet-stream', 'multipart/form-data'];

test('every request body has a media type that client generators know', () => {
  const bodies = Object.entries(documentOf(endpoints).paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, { requestBody?: { content?: object } }>>).flatMap(
      ([method, operation]) =>
        operation?.requestBody?.content === undefined
          ? []
          : [{ operation: `${method} ${path}`, types: Object.keys(operation.requestBody.content) }],
    ),
  );
  expect(bodies.length).toBeGreaterThan(100);
  expect(bodies.filter(({ types }) => !types.some((type) => GENERATED.includes(type)))).toEqual([]);
});
