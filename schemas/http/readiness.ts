import { z } from 'zod';

const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  warn: z.boolean().optional().meta({ description: 'Fine for now, and worth a look' }),
  detail: z.string(),
});

export const Readiness = z.object({
  status: z.enum(['ready', 'degraded', 'not ready']),
  checks: z.array(Check).optional(),
});
