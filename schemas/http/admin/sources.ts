import { z } from 'zod';
import { IsoTime } from '#schemas/http/time.ts';

/** Sources of events under /api/admin: what they sent, and how they are set up. */

const count = z.int().min(0);
const TokenUse = z.object({ id: z.string(), name: z.string().nullable(), lastUsedAt: IsoTime });

const shape = {
  name: z.string(),
  title: z.string(),
  path: z.string().meta({ description: 'Where it posts' }),
  isMonitor: z.boolean().meta({ description: 'Read in its own format; else it speaks plain ingest' }),
  isMapped: z.boolean().meta({ description: 'Read as a mapping of the tenant says' }),
  lastEventAt: IsoTime.nullable().meta({ description: 'Null: nothing was ever heard of it' }),
  events24h: count.meta({ description: 'Entries of the last 24 hours: problems, repeats and recoveries' }),
  rejected24h: count.meta({ description: 'Those that could not be read' }),
  tokens: z
    .array(TokenUse)
    .meta({ description: 'API tokens that have posted it within these hours, the latest first' }),
};
export const SourceBody = z.object(shape).meta({ id: 'EventSource' });
export const SourceDetailBody = z
  .object({
    ...shape,
    address: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    carries: z.enum(['header', 'password', 'query']).meta({
      description: 'How it gives the token: in a header, as the password of the address, or as ?token=',
    }),
    tokenPlace: z.string().meta({ description: 'What stands in the snippets in the place of the token' }),
    snippets: z.array(
      z.object({ title: z.string(), language: z.enum(['sh', 'yaml', 'json', 'text']), text: z.string() }),
    ),
  })
  .meta({ id: 'EventSourceDetail' });
export const SourceTestBody = z
  .object({
    eventId: z.string(),
    tag: z.string(),
    resolvesAt: IsoTime.meta({ description: 'From then on it ends by itself, within a minute' }),
  })
  .meta({ id: 'EventSourceTest' });
