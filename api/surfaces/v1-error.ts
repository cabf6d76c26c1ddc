import type { ErrorView, FaultTable } from './surface.ts';

/** Error body of /v1 and of the operation pages. */
export const v1Error = ({ code, message, problems, data, requestId, documentationUrl }: ErrorView) => ({
  error: {
    ...data,
    code,
    message,
    details: problems.map(({ field, reason }) => ({ field, error: reason })),
    request_id: requestId,
    documentation_url: documentationUrl,
  },
});

export const v1Faults: FaultTable = {
  invalid: { status: 400, code: 'VALIDATION_ERROR' },
  unauthenticated: { status: 401, code: 'AUTHENTICATION_REQUIRED' },
  tenant: { status: 403, code: 'PERMISSION_DENIED' },
  forbidden: { status: 403, code: 'PERMISSION_DENIED' },
  'not-found': { status: 404, code: 'RESOURCE_NOT_FOUND' },
  method: { status: 405, code: 'RESOURCE_NOT_FOUND' },
  conflict: { status: 409, code: 'CONFLICT' },
  precondition: { status: 412, code: 'CONFLICT' },
  unprocessable: { status: 422, code: 'CONFLICT' },
  'too-large': { status: 413, code: 'VALIDATION_ERROR' },
  'rate-limited': { status: 429, code: 'RATE_LIMIT_EXCEEDED' },
  model: { status: 502, code: 'AI_SERVICE_ERROR' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
};
