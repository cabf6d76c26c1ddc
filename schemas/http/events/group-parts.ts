import { z } from 'zod';
import { GRAPH_ROLES, HAPPENED } from '#domain/correlation/grouping/group-parts.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { IsoTime } from '#schemas/http/time.ts';
import { ListedEvent, User } from './event-view.ts';

/* Parts of a group outside its row: members, timeline and map. */

export const GroupMember = ListedEvent.extend({
  joinedBy: z
    .object({ strategy: z.string(), score: z.number(), literalScore: z.number(), other: z.string() })
    .nullable()
    .meta({ description: 'Best correlation link; null if none is stored' }),
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
          .meta({ description: 'Highest severity among open and acknowledged events; null: none' }),
        was: z.enum(SEVERITIES).nullable().meta({ description: 'Highest severity among resolved events; null: none' }),
        open: z.int().min(0).meta({ description: 'Open and acknowledged events' }),
        acknowledged: z.int().min(0).meta({ description: 'Acknowledged events included in `open`' }),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        type: z.string(),
        discoveredBy: z.string().meta({ description: 'ai-accepted: AI proposal accepted by a user' }),
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
