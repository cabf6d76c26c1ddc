import { z } from 'zod';
import { succeeded } from '#schemas/http/envelope.ts';
import { LearningMark, TruncatedCandidates } from './group-view.ts';

/** Why two events are, or are not, in one group. */
export const ExplainReply = succeeded({
  events: z.array(z.string()).length(2),
  together: z.boolean(),
  correlationId: z.string().nullable(),
  manual: z.boolean().meta({ description: 'A person has put the two together' }),
  profile: z.string().meta({ description: 'Of the later of the two, whose scores decided' }),
  ...LearningMark,
  usual: z
    .array(z.object({ eventId: z.string(), reason: z.string() }))
    .max(2)
    .meta({ description: 'Which of the two is usual, and why' }),
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
  refusedBy: z.string().nullable().meta({ description: 'The guard that kept the two apart' }),
  refusedReason: z.string().nullable().meta({ description: 'The same as a sentence' }),
  notCompared: z
    .object({
      cause: z.enum(['late', 'resolved_on_arrival', 'bound_late', 'ended', 'truncated']),
      eventId: z.string(),
      truncated: TruncatedCandidates.optional(),
      endedAt: z.string().optional().meta({ description: 'For `ended`: when the event was over' }),
      reason: z.string(),
    })
    .nullable()
    .meta({ description: 'Why no strategy looked at the two when the later one came, whatever they score now' }),
}).meta({ id: 'ExplainReply' });
