import { z } from 'zod';

const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  warn: z.boolean().optional().meta({ description: 'Healthy, but needs attention' }),
  detail: z.string(),
});

export const Readiness = z.object({
  status: z.enum(['ready', 'degraded', 'not ready']),
  version: z.string().optional(),
  checks: z.array(Check).optional(),
});
