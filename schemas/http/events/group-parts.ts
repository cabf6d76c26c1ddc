import { z } from 'zod';
import { GRAPH_ROLES, HAPPENED } from '#domain/correlation/grouping/group-parts.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { IsoTime } from '#schemas/http/time.ts';
import { ListedEvent, User } from './event-view.ts';

/* What a group is shown with beside its row: members, what happened, and the map. */

export const GroupMember = ListedEvent.extend({
  joinedBy: z
    .object({ strategy: z.string(), score: z.number(), literalScore: z.number(), other: z.string() })
    .nullable()
    .meta({ description: 'Its best link; null when none is stored' }),
});

export const GroupGraphBody = z
  .object({
    nodes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        role: z.enum(GRAPH_ROLES),
        worst: z
          .enum(SEVERITIES)
          .nullable()
          .meta({ description: 'Of its members that are open or acknowledged; null: none is' }),
        was: z.enum(SEVERITIES).nullable().meta({ description: 'Of its members that are over; null: none is' }),
        open: z.int().min(0).meta({ description: 'Members that are open or acknowledged' }),
        acknowledged: z.int().min(0).meta({ description: 'Those of `open` that are acknowledged' }),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        type: z.string(),
        discoveredBy: z.string().meta({ description: 'ai-accepted: AI proposed it, and a person accepted it' }),
        redundancy: z.object({ group: z.string(), required: z.int() }).optional(),
      }),
    ),
    services: z.array(
      z.object({ id: z.string(), name: z.string(), impact: z.enum(['full_outage', 'degraded_functionality']) }),
    ),
    truncated: z.boolean(),
  })
  .meta({ id: 'GroupGraph' });

export const GroupMoment = z.object({
  at: IsoTime,
  kind: z.enum(HAPPENED),
  eventId: z.string().optional(),
  by: User.optional(),
  text: z.string(),
});
