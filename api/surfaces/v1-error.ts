import type { ErrorView } from './surface.ts';

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
