import type { ErrorView } from './surface.ts';

/** Error body of both dialects under /api: the first problem in `details`, all of them in `errors`. */
export const apiError = ({ code, message, problems, data, requestId }: ErrorView) => ({
  success: false,
  error: {
    code,
    message,
    details: { ...problems[0], ...data },
    ...(problems.length > 0 && { errors: problems }),
    requestId,
  },
});
