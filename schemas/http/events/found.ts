import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { FACETS, MAX_HISTOGRAM_BUCKETS } from '#domain/ports/events/event-summaries.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime } from '#schemas/http/time.ts';

/* What is said of all events that a filter finds. */

const FacetValue = z.object({
  value: z.string(),
  name: z.string().optional().meta({ description: 'Of a CI or a user' }),
  count: z.number().int(),
});

export const FacetsReply = succeeded({
  total: z.number().int(),
  facets: z.object(Object.fromEntries(FACETS.map((name) => [name, z.array(FacetValue)]))),
  truncated: z.boolean(),
});

export const HistogramReply = succeeded({
  from: IsoTime.meta({ description: 'Where the range begins that was counted' }),
  to: IsoTime,
  stepMs: z.number().int(),
  buckets: z
    .array(z.object({ at: IsoTime, bySeverity: z.record(z.enum(SEVERITIES), z.number().int()) }))
    .max(MAX_HISTOGRAM_BUCKETS),
  truncated: z.boolean(),
});

const count = z.int().min(0);
export const StatusOfManyReply = succeeded({
  matched: count.meta({ description: 'Events that were asked for, or found' }),
  changed: count,
  unchanged: count,
  queued: count,
  failed: z.array(z.object({ eventId: z.string(), error: z.string() })),
  more: z.boolean(),
});
