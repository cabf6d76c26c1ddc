import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { MAX_AHEAD_MS } from '#domain/event/lifecycle/change.ts';
import type { EventStats } from '#domain/ports/events/event-counts.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';

type StatsTimeRange = z.output<typeof TimeRange>;
const perSeverity = z.record(z.enum(SEVERITIES), z.number().int());

export const eventStats = endpoint<{ timeRange: StatsTimeRange }, { timeRange: StatsTimeRange; stats: EventStats }>({
  id: 'events.stats',
  summary: 'Count events by severity',
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/stats', {
    query: z.strictObject({ timeRange: TimeRange.default('24h') }),
    reply: succeeded({
      timeRange: z.string(),
      stats: z.object({
        total: z.number().int(),
        severityBreakdown: perSeverity,
        openBySeverity: perSeverity,
        avgResolutionTime: z
          .number()
          .nullable()
          .meta({ description: 'Mean time to resolve, seconds; null if nothing was resolved' }),
        medianResolutionTime: z
          .number()
          .nullable()
          .meta({ description: 'Median time to resolve, seconds; large sets use the most recently resolved events' }),
      }),
    }),
    read: ({ query }) => query,
    present: ({ timeRange, stats }) => ({ body: { timeRange, stats } }),
  }),
  async handle({ timeRange }, { tenant, ports, receivedAt }) {
    const stats = await ports.eventCounts.stats(tenant, receivedAt - TIME_RANGES[timeRange], receivedAt + MAX_AHEAD_MS);
    return { timeRange, stats };
  },
});
