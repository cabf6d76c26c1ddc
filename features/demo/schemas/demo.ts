import { z } from 'zod';

/** The demo in a running server. */
export const DemoBody = z
  .object({
    tenant: z.string().nullable().meta({ description: 'Tenant for X-Tenant-ID; null: no demo' }),
    state: z.enum(['none', 'waiting', 'loading', 'ready', 'failed']),
    sent: z.int().min(0).meta({ description: 'Messages from sources' }),
    total: z.int().min(0),
  })
  .meta({ id: 'Demo', example: { tenant: 'demo-k5x2m9qa', state: 'loading', sent: 1_340, total: 2_192 } });
