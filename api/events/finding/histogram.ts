import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { resolveFilter } from '#application/events/finding/resolve-filter.ts';
import { histogramStep } from '#domain/histogram-step.ts';
import { type Histogram, MAX_HISTOGRAM_BUCKETS, MAX_LOOKED_AT } from '#domain/ports/events/event-summaries.ts';
import { type AskedFilter, askedFilter, eventFilterFields, withinTime } from '#schemas/http/events/event-filter.ts';
import { HistogramReply } from '#schemas/http/events/found.ts';
import { iso, TIME_RANGES } from '#schemas/http/time.ts';

interface Counted {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly counted: Histogram;
}

export const eventHistogram = endpoint<AskedFilter, Counted>({
  id: 'events.histogram',
  summary: 'Count the events of a filter over time, by severity',
  description: `The filter is that of the list; without a range the last 24 hours. Counted by the time of the event, in at most ${MAX_HISTOGRAM_BUCKETS} buckets that begin at multiples of the step; empty ones are left out. Filters other than status, severity and time may look at ${MAX_LOOKED_AT.toLocaleString('en')} events, which \`truncated\` says.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/histogram',
      query: z.strictObject(eventFilterFields).check(withinTime),
      reply: HistogramReply,
      read: ({ query }) => askedFilter(query),
      present: ({ from, to, stepMs, counted: { buckets, truncated } }) => ({
        body: {
          from: iso(from),
          to: iso(to),
          stepMs,
          buckets: buckets.map(({ at, bySeverity }) => ({ at: iso(at), bySeverity })),
          truncated,
        },
      }),
    }),
  ],
  async handle(asked, context) {
    const { tenant, ports, receivedAt } = context;
    const { from: asOf, to = Math.max(receivedAt, asOf ?? 0), ...filter } = await resolveFilter(context, asked);
    const from = asOf ?? Math.max(0, to - TIME_RANGES['24h']);
    const stepMs = histogramStep(from, to, MAX_HISTOGRAM_BUCKETS);
    return { from, to, stepMs, counted: await ports.eventSummaries.histogram(tenant, filter, { from, to, stepMs }) };
  },
});
