import { ApiError } from '#schemas/http/errors.ts';
import { apiError } from './api-error.ts';
import { pagination } from './pages.ts';
import type { Surface } from './surface.ts';

/** /api, general: `{ success: true, data, pagination }`; the presenter returns `data`. */
export const platform: Surface = {
  name: 'platform',
  prefix: '/api',
  faults: {
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
  },
  success: (body, page) => ({
    success: true,
    data: body,
    ...(page !== undefined && { pagination: pagination(page) }),
  }),
  error: apiError,
  errorSchema: ApiError,
};
