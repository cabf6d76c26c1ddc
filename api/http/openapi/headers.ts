import { takesIdempotencyKey } from '#api/http/routing/idempotency.ts';
import type { Route } from '#api/http/routing/routes.ts';
import { FAULT_KINDS } from '#domain/fault.ts';

/** A response header as the document describes it. */
type HeaderObject = {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly minimum?: number };
  readonly example: string | number;
};
const text = (description: string, example: string): HeaderObject => ({
  description,
  schema: { type: 'string' },
  example,
});
const whole = (description: string, example: number): HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** Every header that a response may carry beyond what HTTP itself and security ask for. */
export const HEADERS = {
  'X-Request-ID': text('Request ID (yours or generated). Include it in support requests', '01M7YYCSX1W0SAZZRHKVPG78N3'),
  'X-RateLimit-Limit': whole('Requests allowed in the current window', 100),
  'X-RateLimit-Remaining': whole('Requests left in the current window', 99),
  'X-RateLimit-Reset': whole('End of the current window, epoch seconds', 1_795_261_140),
  'Retry-After': whole('Seconds to wait before retrying', 7),
  'WWW-Authenticate': text('Authentication scheme', 'Bearer realm="faultline"'),
  Allow: text('Methods allowed on this path', 'GET, POST'),
  Location: text('URL of the record', '/v1/cmdb/ci/01M7YYCSX1W0SAZZRHKVPG78N3'),
  ETag: text('Revision of the record, for If-Match', '"1"'),
  'X-Accel-Buffering': text('`no`: disables proxy buffering', 'no'),
  'Content-Disposition': text('File name of the download', 'attachment; filename="ci.csv"'),
  'Content-Security-Policy': text('Content security policy', "default-src 'none'; script-src 'self'"),
  'Content-Encoding': text('Content encoding', 'br'),
  'Set-Cookie': text(
    'Refresh token of the console; not accessible to scripts',
    'faultline_0123456789ab=…; Path=/; HttpOnly; SameSite=Strict',
  ),
  Vary: text('Request headers the response depends on', 'Accept-Encoding'),
  'Idempotency-Replayed': text('`true`: replayed response to an earlier request with the same Idempotency-Key', 'true'),
  Link: text('Links to the first, previous, next and last page', '</v1/cmdb/ci?page=2>; rel="next"'),
  'X-Total-Count': whole('Total records across all pages', 45),
  'X-Page': whole('Current page', 1),
  'X-Per-Page': whole('Records per page', 20),
  'X-Total-Pages': whole('Number of pages', 3),
  'X-API-Deprecation-Date': text('Deprecation date of this version', '2027-06-01'),
  'X-API-Deprecation-Info': text('Address of the guide to its successor', 'https://example.com/migrate'),
  Deprecation: text('RFC 9745', '@1811808000'),
  Sunset: text('Date after which this version may be removed (RFC 8594)', 'Thu, 01 Jun 2028 00:00:00 GMT'),
} as const satisfies Readonly<Record<string, HeaderObject>>;
export type HeaderName = keyof typeof HEADERS;

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const PAGES = ['Link', 'X-Total-Count', 'X-Page', 'X-Per-Page', 'X-Total-Pages'] as const;
const RETIRED = ['X-API-Deprecation-Date', 'X-API-Deprecation-Info', 'Deprecation', 'Sunset'] as const;

/** Returns references to headers: each is described once, among the components. */
export const references = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ON_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  404: ['Allow'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Headers of an error of this status, on every surface alike. */
export const errorHeaders = (status: number): readonly HeaderName[] => [
  'X-Request-ID',
  ...LIMITS,
  ...(ON_STATUS[status] ?? []),
];

/** Headers of a success of this route. */
export const successHeaders = (route: Route): readonly HeaderName[] => {
  const { endpoint, mount, surface, queryNames } = route;
  return [
    'X-Request-ID',
    ...(endpoint.limit === 'none' ? [] : LIMITS),
    ...(surface.pageHeaders !== undefined && queryNames?.includes('page') ? PAGES : []),
    ...(mount.replyHeaders ?? []),
    ...(takesIdempotencyKey(endpoint, mount.method.toUpperCase()) ? (['Idempotency-Replayed'] as const) : []),
    ...(mount.deprecated === undefined ? [] : RETIRED),
  ];
};

const usedBy = (route: Route): readonly HeaderName[] => [
  ...successHeaders(route),
  ...FAULT_KINDS.flatMap((kind) => errorHeaders(route.surface.faults[kind].status)),
];

/** Descriptions of the headers that these routes send. */
export const headersOfAll = (routes: readonly Route[]): Partial<typeof HEADERS> => {
  const used = new Set<string>(routes.flatMap(usedBy));
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => used.has(name)));
};
