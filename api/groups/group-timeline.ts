import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import type { GroupTimelineEntry } from '#application/groups/timeline-entry.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import { sortOrder, wholeNumber } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { GroupMoment } from '#schemas/http/events/group-parts.ts';
import { personView } from '#schemas/http/events/groups.ts';
import { iso } from '#schemas/http/time.ts';

const params = z.object({ correlationId: z.string() });
const TimelineQuery = z.strictObject({
  limit: wholeNumber(1, 500).default(100),
  sortOrder: sortOrder.default('asc').meta({ description: 'asc: oldest first; desc: newest first' }),
  cursor: z.string().max(16).optional().meta({ description: 'nextCursor of a previous page' }),
});

interface TimelineRequest {
  readonly correlationId: string;
  readonly limit: number;
  readonly from: number;
  readonly order: 'asc' | 'desc';
}
interface GroupTimelinePage {
  readonly moments: readonly GroupTimelineEntry[];
  readonly nextCursor: string | null;
  readonly isTruncated: boolean;
}

/** Returns the number of entries before the page. */
const startOf = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'invalid cursor');
  return Number(cursor);
};

export const groupTimeline = endpoint<TimelineRequest, GroupTimelinePage>({
  id: 'events.group-timeline',
  summary: 'Get the timeline of a group',
  description:
    'Arrivals and outcomes of its first 1,000 events (newest first: its last 1,000), root-cause candidates, topology changes near its CIs, and user actions on the group. `truncated`: more entries exist.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/groups/{correlationId}/timeline', {
    params,
    query: TimelineQuery,
    reply: succeeded({ timeline: z.array(GroupMoment), nextCursor: z.string().nullable(), truncated: z.boolean() }),
    read: ({ params, query }): TimelineRequest => ({
      correlationId: params.correlationId,
      limit: query.limit,
      from: startOf(query.cursor),
      order: query.sortOrder,
    }),
    present: ({ moments, nextCursor, isTruncated }) => ({
      body: {
        timeline: moments.map(({ at, kind, eventId, by, text }) => ({
          at: iso(at),
          kind,
          text,
          ...(eventId !== undefined && { eventId: eventIdOf(eventId) }),
          ...(by && { by: personView(by) }),
        })),
        nextCursor,
        truncated: isTruncated,
      },
    }),
  }),
  async handle({ correlationId, limit, from, order }, { tenant, ports, receivedAt: now }) {
    const { group } = await findGroup(ports, tenant, correlationId);
    const quietMs = quietTimeMs(await correlationSettings(ports.records, tenant));
    const { moments, isTruncated } = await timelineOf(ports, tenant, group, { order, quietMs, now });
    const end = from + limit;
    const nextCursor = end < moments.length ? String(end) : null;
    return { moments: moments.slice(from, end), nextCursor, isTruncated };
  },
});
