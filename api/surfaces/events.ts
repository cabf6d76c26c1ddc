import { STATUS_CODES } from 'node:http';
import { EventsError } from '#schemas/http/errors.ts';
import { eventsPagination } from './pages.ts';
import type { FaultTable, Surface } from './surface.ts';

/** The code is the reason phrase: this dialect has no codes of its own. */
const phrase = (status: number) => ({ status, code: STATUS_CODES[status] ?? 'Error' });

const faults: FaultTable = {
  invalid: phrase(400),
  unauthenticated: phrase(401),
  tenant: phrase(403),
  forbidden: phrase(403),
  'not-found': phrase(404),
  method: phrase(405),
  conflict: phrase(409),
  precondition: phrase(412),
  unprocessable: phrase(422),
  'too-large': phrase(413),
  'rate-limited': phrase(429),
  model: phrase(502),
  unavailable: phrase(503),
  internal: phrase(500),
};

/** /api/events: `success: true` before what the presenter returns; flat errors. */
export const events: Surface = {
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
