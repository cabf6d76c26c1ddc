import { describe, expect, test } from '@jest/globals';
import { FAULT_KINDS, type FaultKind } from '#domain/fault.ts';
import type { SurfaceName } from './endpoint.ts';
import type { ErrorView } from './surface.ts';
import { pageHeaders, SURFACES, surfaceOf } from './surfaces.ts';

type Row = Readonly<Record<'ai' | 'platform' | 'v1' | 'events', string>>;
const row = (ai: string, platform: string, v1: string, events: string): Row => ({ ai, platform, v1, events });

/** "Errors per surface": status and code; the events surface has reason phrases. */
const EXPECTED: Readonly<Record<FaultKind, Row>> = {
  invalid: row('400 INVALID_REQUEST', '400 VALIDATION_ERROR', '400 VALIDATION_ERROR', '400 Bad Request'),
  unauthenticated: row('401 UNAUTHORIZED', '401 UNAUTHORIZED', '401 AUTHENTICATION_REQUIRED', '401 Unauthorized'),
  tenant: row('403 TENANT_NOT_FOUND', '403 FORBIDDEN', '403 PERMISSION_DENIED', '403 Forbidden'),
  forbidden: row('403 UNAUTHORIZED', '403 FORBIDDEN', '403 PERMISSION_DENIED', '403 Forbidden'),
  'not-found': row('404 INVALID_REQUEST', '404 NOT_FOUND', '404 RESOURCE_NOT_FOUND', '404 Not Found'),
  method: row('405 INVALID_REQUEST', '405 NOT_FOUND', '405 RESOURCE_NOT_FOUND', '405 Method Not Allowed'),
  conflict: row('409 INVALID_REQUEST', '409 CONFLICT', '409 CONFLICT', '409 Conflict'),
  precondition: row('412 INVALID_REQUEST', '412 CONFLICT', '412 CONFLICT', '412 Precondition Failed'),
  unprocessable: row('422 INVALID_REQUEST', '422 CONFLICT', '422 CONFLICT', '422 Unprocessable Entity'),
  'too-large': row('413 INVALID_REQUEST', '413 VALIDATION_ERROR', '413 VALIDATION_ERROR', '413 Payload Too Large'),
  'rate-limited': row(
    '429 RATE_LIMIT_EXCEEDED',
    '429 RATE_LIMIT_EXCEEDED',
    '429 RATE_LIMIT_EXCEEDED',
    '429 Too Many Requests',
  ),
  model: row('502 AI_SERVICE_ERROR', '502 AI_SERVICE_ERROR', '502 AI_SERVICE_ERROR', '502 Bad Gateway'),
  unavailable: row(
    '503 INTERNAL_ERROR',
    '503 SERVICE_UNAVAILABLE',
    '503 SERVICE_UNAVAILABLE',
    '503 Service Unavailable',
  ),
  internal: row('500 INTERNAL_ERROR', '500 INTERNAL_ERROR', '500 INTERNAL_ERROR', '500 Internal Server Error'),
};

const view: ErrorView = {
  status: 400,
  code: 'CODE',
  message: 'two fields are wrong',
  problems: [
    { field: 'severity', reason: 'required' },
    { field: 'title', reason: 'too long' },
  ],
  data: { hint: 'x' },
  requestId: 'r-1',
  retryAt: null,
  documentationUrl: '/docs',
};

describe('fault tables', () => {
  for (const kind of FAULT_KINDS)
    for (const name of ['ai', 'platform', 'v1', 'events'] as const)
      test(`${kind} on ${name}: ${EXPECTED[kind][name]}`, () => {
        const { status, code } = SURFACES[name].faults[kind];
        expect(`${status} ${code}`).toBe(EXPECTED[kind][name]);
      });

  test('the root speaks like /v1', () => expect(SURFACES.ops.faults).toBe(SURFACES.v1.faults));
});

describe('error bodies', () => {
  test.each(Object.keys(SURFACES) as SurfaceName[])('%s keeps its schema', (name) => {
    const { error, errorSchema } = SURFACES[name];
    for (const one of [view, { ...view, problems: [], data: {}, retryAt: 0 }])
      expect(errorSchema.safeParse(error(one)).error).toBeUndefined();
  });

  test.each(['ai', 'platform'] as const)('%s', (name) =>
    expect(SURFACES[name].error(view)).toEqual({
      success: false,
      error: {
        code: 'CODE',
        message: 'two fields are wrong',
        details: { field: 'severity', reason: 'required', hint: 'x' },
        errors: view.problems,
        requestId: 'r-1',
      },
    }),
  );

  test('v1', () =>
    expect(SURFACES.v1.error(view)).toEqual({
      error: {
        code: 'CODE',
        message: 'two fields are wrong',
        details: [
          { field: 'severity', error: 'required' },
          { field: 'title', error: 'too long' },
        ],
        hint: 'x',
        request_id: 'r-1',
        documentation_url: '/docs',
      },
    }));

  test('events', () =>
    expect(SURFACES.events.error({ ...view, retryAt: 1_000, code: 'Bad Request' })).toEqual({
      success: false,
      error: 'Bad Request',
      message: 'two fields are wrong',
      details: [
        { field: 'severity', message: 'required' },
        { field: 'title', message: 'too long' },
      ],
      hint: 'x',
      retryAfter: '1970-01-01T00:00:01.000Z',
      requestId: 'r-1',
    }));
});

describe('success', () => {
  const page = { page: 2, limit: 20, total: 41 };
  const pages = { page: 2, limit: 20, total: 41, pages: 3 };
  test.each([
    ['platform', [1], { success: true, data: [1], pagination: pages }],
    ['v1', [1], { data: [1], pagination: pages }],
    ['ai', { relationships: [] }, { success: true, relationships: [], pagination: pages }],
    [
      'events',
      { events: [] },
      { success: true, events: [], pagination: { total: 41, page: 2, pageSize: 20, totalPages: 3 } },
    ],
  ] as const)('%s pages', (name, body, expected) => expect(SURFACES[name].success(body, page)).toEqual(expected));

  test.each([
    ['platform', { success: true, data: { id: 1 } }],
    ['v1', { id: 1 }],
    ['ai', { success: true, id: 1 }],
    ['events', { success: true, id: 1 }],
  ] as const)('%s, one', (name, expected) => expect(SURFACES[name].success({ id: 1 }, undefined)).toEqual(expected));
});

describe('paging headers of /v1', () => {
  const link = (at: { page: number } | { cursor: string }) =>
    'page' in at ? `/x?page=${at.page}` : `/x?c=${at.cursor}`;
  const rels = (page: Parameters<typeof pageHeaders>[0]) => pageHeaders(page, link).Link;

  test('in the middle', () =>
    expect(pageHeaders({ page: 2, limit: 20, total: 41 }, link)).toEqual({
      'X-Total-Count': '41',
      'X-Page': '2',
      'X-Per-Page': '20',
      'X-Total-Pages': '3',
      Link: '</x?page=1>; rel="first", </x?page=1>; rel="prev", </x?page=3>; rel="next", </x?page=3>; rel="last"',
    }));

  test('a Link header that might not arrive is left out, the numbers stay', () => {
    const headers = pageHeaders({ page: 1, limit: 20, total: 41 }, () => `/x?type=${'a,'.repeat(1_000)}`);
    expect(headers).toMatchObject({ 'X-Total-Count': '41' });
    expect(headers).not.toHaveProperty('Link');
  });

  test.each([
    ['empty', { page: 1, limit: 20, total: 0 }, '</x?page=1>; rel="first", </x?page=1>; rel="last"'],
    [
      'past the end, prev is the last page',
      { page: 9, limit: 20, total: 41 },
      '</x?page=1>; rel="first", </x?page=3>; rel="prev", </x?page=3>; rel="last"',
    ],
    [
      'past 10,000 rows, next is a cursor and there is no last',
      { page: 100, limit: 100, total: 20_000, nextCursor: 'k' },
      '</x?page=1>; rel="first", </x?page=99>; rel="prev", </x?c=k>; rel="next"',
    ],
  ])('%s', (_, page, expected) => expect(rels(page)).toBe(expected));
});

test.each([
  ['/api/events/x', 'events'],
  ['/api/events', 'events'],
  ['/api/eventsx', 'platform'],
  ['/api/nothing', 'platform'],
  ['/v1/nothing', 'v1'],
  ['/v12', 'ops'],
  ['/', 'ops'],
])('%s is answered in the dialect %s', (path, name) => expect(surfaceOf(path).name).toBe(name));
