import { z } from 'zod';
import { IsoTime } from '#schemas/http/time.ts';

/** Sources of events under /api/admin: their messages, and their setup. */

const count = z.int().min(0);
const TokenUse = z.object({ id: z.string(), name: z.string().nullable(), lastUsedAt: IsoTime });

const shape = {
  name: z.string(),
  title: z.string(),
  path: z.string().meta({ description: 'URL the source posts to' }),
  isMonitor: z.boolean().meta({ description: 'True if the native format is supported; otherwise plain ingest' }),
  isMapped: z.boolean().meta({ description: 'True if read through a mapping of the tenant' }),
  lastEventAt: IsoTime.nullable().meta({ description: 'null: no events received' }),
  events24h: count.meta({ description: 'Messages in the last 24 hours: problems, repeats and recoveries' }),
  rejected24h: count.meta({ description: 'Rejected payloads' }),
  tokens: z
    .array(TokenUse)
    .meta({ description: 'API tokens used to send events in the last 24 hours, most recent first' }),
};
export const SourceBody = z.object(shape).meta({ id: 'EventSource' });
export const SourceDetailBody = z
  .object({
    ...shape,
    address: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    carries: z.enum(['header', 'password', 'query']).meta({
      description: 'Token transport: header, URL password or ?token=',
    }),
    tokenPlace: z.string().meta({ description: 'Token placeholder in the snippets' }),
    snippets: z.array(
      z.object({ title: z.string(), language: z.enum(['sh', 'yaml', 'json', 'text']), text: z.string() }),
    ),
  })
  .meta({ id: 'EventSourceDetail' });
export const SourceTestBody = z
  .object({
    eventId: z.string(),
    tag: z.string(),
    resolvesAt: IsoTime.meta({ description: 'Automatic resolution time' }),
  })
  .meta({ id: 'EventSourceTest' });
