import { ApiError } from '#schemas/http/errors.ts';
import { apiError } from './api-error.ts';
import { pagination } from './pages.ts';
import type { Surface } from './surface.ts';

/** /api, AI analysis: `success: true` before what the presenter returns; six error codes only. */
export const ai: Surface = {
  name: 'ai',
  prefix: '/api',
  faults: {
    invalid: { status: 400, code: 'INVALID_REQUEST' },
    unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
    tenant: { status: 403, code: 'TENANT_NOT_FOUND' },
    forbidden: { status: 403, code: 'UNAUTHORIZED' },
    'not-found': { status: 404, code: 'INVALID_REQUEST' },
    method: { status: 405, code: 'INVALID_REQUEST' },
    conflict: { status: 409, code: 'INVALID_REQUEST' },
    precondition: { status: 412, code: 'INVALID_REQUEST' },
    unprocessable: { status: 422, code: 'INVALID_REQUEST' },
    'too-large': { status: 413, code: 'INVALID_REQUEST' },
    'rate-limited': { status: 429, code: 'RATE_LIMIT_EXCEEDED' },
    model: { status: 502, code: 'AI_SERVICE_ERROR' },
    unavailable: { status: 503, code: 'INTERNAL_ERROR' },
    internal: { status: 500, code: 'INTERNAL_ERROR' },
  },
  success: (body, page) => ({
    success: true,
    ...(body as object),
    ...(page !== undefined && { pagination: pagination(page) }),
  }),
  error: apiError,
  errorSchema: ApiError,
};
