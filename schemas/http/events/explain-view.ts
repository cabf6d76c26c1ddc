import { z } from 'zod';
import { succeeded } from '#schemas/http/envelope.ts';
import { LearningMark, TruncatedCandidates } from './group-view.ts';

/** Reason why two events are, or are not, in one group. */
export const ExplainReply = succeeded({
  events: z.array(z.string()).length(2),
  together: z.boolean(),
  correlationId: z.string().nullable(),
  manual: z.boolean().meta({ description: 'The events were merged manually' }),
  profile: z.string().meta({ description: 'Profile of the later event, whose scores applied' }),
  ...LearningMark,
  usual: z
    .array(z.object({ eventId: z.string(), reason: z.string() }))
    .max(2)
    .meta({ description: 'Which event is recurring, and why' }),
  strategies: z.array(
    z.object({
      strategy: z.string(),
      inputs: z.record(z.string(), z.unknown()),
      literalScore: z.number(),
      factor: z.number(),
      score: z.number(),
      threshold: z.number(),
      joined: z.boolean(),
      reason: z.string(),
    }),
  ),
  refusedBy: z.string().nullable().meta({ description: 'Guard that blocked the link' }),
  refusedReason: z.string().nullable().meta({ description: 'Explanation of the guard' }),
  notCompared: z
    .object({
      cause: z.enum(['ungrouped', 'late', 'resolved_on_arrival', 'bound_late', 'ended', 'truncated']),
      eventId: z.string(),
      truncated: TruncatedCandidates.optional(),
      endedAt: z.string().optional().meta({ description: 'For `ended`: time when the event ended' }),
      reason: z.string(),
    })
    .nullable()
    .meta({ description: 'Why the events were not compared when the later one arrived' }),
}).meta({ id: 'ExplainReply' });
