import { z } from 'zod';

/* Error bodies by dialect (docs/specification.md §13). */

const problem = z.object({ field: z.string(), reason: z.string() });

/** AI and /api: `details` has the first problem, `errors` all of them. */
export const ApiError = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.looseObject({ field: z.string().optional(), reason: z.string().optional() }),
      errors: z.array(problem).optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'ApiError' });

export const V1Error = z
  .object({
    error: z.looseObject({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), error: z.string() })),
      request_id: z.string(),
      documentation_url: z.string(),
    }),
  })
  .meta({ id: 'V1Error' });

/** `error` is the reason phrase of the status; `retryAfter` is sent with 429 and 503. */
export const EventsError = z
  .looseObject({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    retryAfter: z.iso.datetime().optional(),
    requestId: z.string(),
  })
  .meta({ id: 'EventsError' });

export const AlertmanagerError = z.string().meta({ id: 'AlertmanagerError' });

export const PagerDutyError = z
  .object({ status: z.string(), message: z.string(), errors: z.array(z.string()) })
  .meta({ id: 'PagerDutyError' });

export const OpsgenieError = z
  .object({
    message: z.string(),
    code: z.int().optional().meta({ description: '40301: the key may not' }),
    errors: z.record(z.string(), z.string()).optional(),
    took: z.number(),
    requestId: z.string(),
  })
  .meta({ id: 'OpsgenieError' });
