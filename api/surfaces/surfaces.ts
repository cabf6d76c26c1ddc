import { STATUS_CODES } from 'node:http';
import type { FaultKind } from '#domain/fault.ts';
import {
  AlertmanagerError,
  ApiError,
  EventsError,
  OpsgenieError,
  PagerDutyError,
  V1Error,
} from '#schemas/http/errors.ts';
import { PAGE_WINDOW } from '#schemas/http/paging.ts';
import type { PageInfo, SurfaceName } from './endpoint.ts';
import type { ErrorView, FaultTable, PageLink, Surface } from './surface.ts';
import { v1Error } from './v1-error.ts';

const pagesOf = (page: PageInfo): number => Math.ceil(page.total / page.limit);
const cursorOf = (page: PageInfo) => (page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor });

/** `pagination` of /api and /v1. */
const pagination = (page: PageInfo) => ({
  page: page.page,
  limit: page.limit,
  total: page.total,
  pages: pagesOf(page),
  ...cursorOf(page),
});

/** `pagination` of /api/events. */
const eventsPagination = (page: PageInfo) => ({
  total: page.total,
  page: page.page,
  pageSize: page.limit,
  totalPages: pagesOf(page),
  ...cursorOf(page),
});

/** Longer than this it may not pass a proxy, and some clients refuse the whole response. */
const MAX_LINK = 4_096;

const isReachable = (number: number, { limit }: PageInfo): boolean => number * limit <= PAGE_WINDOW;

/** Returns the position of the next rows; after a cursor only a cursor has it. */
const nextOf = (page: PageInfo): Parameters<PageLink>[0] | null => {
  const cursor = page.nextCursor ? { cursor: page.nextCursor } : null;
  if (page.isBehindCursor) return cursor;
  if (page.page >= pagesOf(page)) return null;
  return isReachable(page.page + 1, page) ? { page: page.page + 1 } : cursor;
};

/** Headers of /v1; links only to pages that a page number can reach, further on `next` is a cursor. */
export function pageHeaders(page: PageInfo, link: PageLink): Readonly<Record<string, string>> {
  const last = Math.max(1, pagesOf(page));
  const next = nextOf(page);
  const links = [`<${link({ page: 1 })}>; rel="first"`];
  if (page.page > 1 && !page.isBehindCursor)
    links.push(`<${link({ page: Math.min(page.page - 1, last) })}>; rel="prev"`);
  if (next !== null) links.push(`<${link(next)}>; rel="next"`);
  if (isReachable(last, page)) links.push(`<${link({ page: last })}>; rel="last"`);
  const all = links.join(', ');
  return {
    'X-Total-Count': String(page.total),
    'X-Page': String(page.page),
    'X-Per-Page': String(page.limit),
    'X-Total-Pages': String(pagesOf(page)),
    ...(all.length <= MAX_LINK && { Link: all }),
  };
}

const apiFaults: FaultTable = {
  invalid: { status: 400, code: 'VALIDATION_ERROR' },
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  tenant: { status: 403, code: 'FORBIDDEN' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  'not-found': { status: 404, code: 'NOT_FOUND' },
  method: { status: 405, code: 'NOT_FOUND' },
  conflict: { status: 409, code: 'CONFLICT' },
  precondition: { status: 412, code: 'CONFLICT' },
  unprocessable: { status: 422, code: 'CONFLICT' },
  'too-large': { status: 413, code: 'VALIDATION_ERROR' },
  'rate-limited': { status: 429, code: 'RATE_LIMIT_EXCEEDED' },
  model: { status: 502, code: 'AI_SERVICE_ERROR' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
};

/** The same kinds and statuses with codes of another dialect. */
const withCodes = (codeOf: (fault: FaultTable[FaultKind]) => string): FaultTable =>
  Object.fromEntries(
    Object.entries(apiFaults).map(([kind, fault]) => [kind, { ...fault, code: codeOf(fault) }]),
  ) as FaultTable;

const V1_CODES: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'AUTHENTICATION_REQUIRED',
  FORBIDDEN: 'PERMISSION_DENIED',
  NOT_FOUND: 'RESOURCE_NOT_FOUND',
};
const v1Faults = withCodes(({ code }) => V1_CODES[code] ?? code);

const AI_CODES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'INVALID_REQUEST',
  FORBIDDEN: 'UNAUTHORIZED',
  NOT_FOUND: 'INVALID_REQUEST',
  CONFLICT: 'INVALID_REQUEST',
  SERVICE_UNAVAILABLE: 'INTERNAL_ERROR',
};
const aiFaults: FaultTable = {
  ...withCodes(({ code }) => AI_CODES[code] ?? code),
  tenant: { status: 403, code: 'TENANT_NOT_FOUND' },
};

/** The code is the reason phrase: this dialect has no codes of its own. */
const phrase = (status: number) => ({ status, code: STATUS_CODES[status] ?? 'Error' });
const faults = withCodes(({ status }) => phrase(status).code);

/** /api/events: `success: true` before the result of the presenter; flat errors. */
const events: Surface = {
  name: 'events',
  prefix: '/api/events',
  faults,
  success: (body, page) => ({
    success: true,
    ...(body as object),
    ...(page !== undefined && { pagination: eventsPagination(page) }),
  }),
  error: ({ status, code, message, problems, data, requestId, retryAt }) => ({
    ...data,
    success: false,
    error: code,
    message,
    ...((status === 400 || problems.length > 0) && {
      details: problems.map(({ field, reason }) => ({ field, message: reason })),
    }),
    ...(retryAt !== null && { retryAfter: new Date(retryAt).toISOString() }),
    requestId,
  }),
  errorSchema: EventsError,
};

/** Error body of both dialects under /api: the first problem in `details`, all of them in `errors`. */
const apiError = ({ code, message, problems, data, requestId }: ErrorView) => ({
  success: false,
  error: {
    code,
    message,
    details: { ...problems[0], ...data },
    ...(problems.length > 0 && { errors: problems }),
    requestId,
  },
});

/** /api, general: `{ success: true, data, pagination }`; the presenter returns `data`. */
const platform: Surface = {
  name: 'platform',
  prefix: '/api',
  faults: apiFaults,
  success: (body, page) => ({ success: true, data: body, ...(page !== undefined && { pagination: pagination(page) }) }),
  error: apiError,
  errorSchema: ApiError,
};

/** /api, AI analysis: `success: true` before the result of the presenter; six error codes only. */
const ai: Surface = {
  name: 'ai',
  prefix: '/api',
  faults: aiFaults,
  success: (body, page) => ({
    success: true,
    ...(body as object),
    ...(page !== undefined && { pagination: pagination(page) }),
  }),
  error: apiError,
  errorSchema: ApiError,
};

/** /v1: bodies are bare; lists are `{ data, pagination }` with paging headers. */
const v1: Surface = {
  name: 'v1',
  prefix: '/v1',
  faults: v1Faults,
  success: (body, page) => (page === undefined ? body : { data: body, pagination: pagination(page) }),
  error: v1Error,
  errorSchema: V1Error,
  pageHeaders,
};

/** /api/v2, in the dialect of Alertmanager: bare bodies, and errors that are one JSON string. */
const alertmanager: Surface = {
  name: 'alertmanager',
  prefix: '/api/v2',
  faults: { ...faults, unprocessable: phrase(400) },
  success: (body) => body,
  error: ({ message }) => message,
  errorSchema: AlertmanagerError,
};

/** Paths of PagerDuty's Events API, with its error bodies. */
const pagerduty: Surface = {
  name: 'pagerduty',
  prefix: '',
  faults: { ...faults, unprocessable: phrase(400) },
  success: (body) => body,
  error: ({ status, code, message, problems }) => ({
    status: status === 400 ? 'invalid event' : code,
    message: status === 400 ? 'Event object is invalid' : message,
    errors: problems.length === 0 ? [message] : problems.map(({ field, reason }) => `${field}: ${reason}`),
  }),
  errorSchema: PagerDutyError,
};

/** /v2, in the dialect of Opsgenie's API. */
const opsgenie: Surface = {
  name: 'opsgenie',
  prefix: '/v2',
  faults: { ...faults, invalid: phrase(422) },
  success: (body) => body,
  error: ({ status, message, problems, requestId }) => ({
    message,
    ...(status === 403 && { code: 40_301 }),
    ...(problems.length > 0 && { errors: Object.fromEntries(problems.map(({ field, reason }) => [field, reason])) }),
    took: 0,
    requestId,
  }),
  errorSchema: OpsgenieError,
};

/** The root: health, metrics, documents, event streams. Speaks like /v1. */
const ops: Surface = {
  name: 'ops',
  prefix: '',
  faults: v1Faults,
  success: (body) => body,
  error: v1Error,
  errorSchema: V1Error,
};

export const SURFACES: Readonly<Record<SurfaceName, Surface>> = {
  ai,
  platform,
  v1,
  events,
  alertmanager,
  pagerduty,
  opsgenie,
  ops,
};

/** The dialect of a path that no endpoint has; unknown paths under /api speak the general one. */
export function surfaceOf(path: string): Surface {
  const under = ({ prefix }: Surface): boolean => path === prefix || path.startsWith(`${prefix}/`);
  return [events, alertmanager, platform, v1, opsgenie].find(under) ?? ops;
}
