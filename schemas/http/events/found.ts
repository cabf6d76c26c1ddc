import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { FACETS, MAX_HISTOGRAM_BUCKETS } from '#domain/ports/events/event-summaries.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime } from '#schemas/http/time.ts';

/* Statistics of all events that match a filter. */

const FacetValue = z.object({
  value: z.string(),
  name: z.string().optional().meta({ description: 'Display name of a CI or user' }),
  count: z.number().int(),
});

export const FacetsReply = succeeded({
  total: z.number().int(),
  facets: z.object(Object.fromEntries(FACETS.map((name) => [name, z.array(FacetValue)]))),
  truncated: z.boolean(),
});

export const HistogramReply = succeeded({
  from: IsoTime.meta({ description: 'Start of the counted range' }),
  to: IsoTime,
  stepMs: z.number().int(),
  buckets: z
    .array(z.object({ at: IsoTime, bySeverity: z.record(z.enum(SEVERITIES), z.number().int()) }))
    .max(MAX_HISTOGRAM_BUCKETS),
  truncated: z.boolean(),
});

const count = z.int().min(0);
export const StatusOfManyReply = succeeded({
  matched: count.meta({ description: 'Events requested or matched' }),
  changed: count,
  unchanged: count,
  queued: count,
  failed: z.array(z.object({ eventId: z.string(), error: z.string() })),
  more: z.boolean(),
});
