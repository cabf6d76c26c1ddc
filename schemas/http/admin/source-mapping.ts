import { z } from 'zod';
import { IsoTime } from '#schemas/http/time.ts';
import { SourceMapping } from '#sources/generic/mapping.ts';

/** Mappings of sources under /api/admin/sources/{name}/mapping. */

export const MappingBody = z.object({ name: z.string(), mapping: SourceMapping }).meta({ id: 'SourceMappingReply' });

export const MappingTry = z
  .strictObject({
    mapping: SourceMapping.optional().meta({ description: 'Default: the stored mapping' }),
    sample: z.unknown().meta({
      description: 'Request body as sent by the monitoring system',
      anyOf: [{ type: 'object' }, { type: 'array', minItems: 1, items: { type: 'object' } }],
    }),
  })
  .meta({ id: 'SourceMappingTry', required: ['sample'] });

const Told = z.object({
  title: z.string(),
  severity: z.string(),
  status: z.string(),
  description: z.string().nullable(),
  hostname: z.string().nullable(),
  ipAddress: z.string().nullable(),
  service: z.string().nullable(),
  application: z.string().nullable(),
  environment: z.string().nullable(),
  category: z.string().nullable(),
  timestamp: IsoTime.nullable().meta({ description: 'null: time of receipt' }),
  tags: z.array(z.string()),
});

export const MappingTried = z
  .object({
    results: z.array(
      z.object({
        action: z.string().nullable().meta({ description: 'Resulting action; null: rejected' }),
        sourceId: z.string().nullable(),
        event: Told.nullable(),
        reason: z.string().nullable().meta({ description: 'Reason for rejection, or for no action' }),
        missing: z.array(z.string()).meta({ description: 'Fields whose paths match nothing' }),
      }),
    ),
  })
  .meta({ id: 'SourceMappingTried' });
