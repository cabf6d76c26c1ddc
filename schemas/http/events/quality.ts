import { z } from 'zod';

/** Verdicts of people on groups, counted. */

const count = z.int().min(0);
const share = {
  right: count,
  of: count.meta({ description: 'Verdicts that say right or wrong' }),
  interval: z
    .object({ low: z.number(), high: z.number() })
    .nullable()
    .meta({ description: "Wilson's interval of right / of, 95 %" }),
};

const part = z.number().min(0).max(1);
const calibration = z.object({
  of: count.meta({ description: 'Verdicts that say right or wrong of a cause that has a confidence' }),
  error: part.nullable().meta({
    description: 'Mean distance of confidence and share that was right over five bins; null below 30 verdicts',
  }),
  bins: z.array(
    z.object({ from: part, to: part, judged: count, meanConfidence: part.nullable(), hitRate: part.nullable() }),
  ),
});
const corrections = z.object({
  splits: count.meta({ description: 'How often people took a part out of a group, without what was taken back' }),
  merges: count.meta({ description: 'How often people put events or groups together, without what was taken back' }),
  truncated: z.boolean().meta({ description: 'The audit trail has more entries than are looked at' }),
});

export const QualityBody = z
  .object({
    verdicts: count,
    cause: z.object(share),
    members: z.object({ right: count, too_many: count, too_few: count }),
    corrections,
    calibration,
    byStrategy: z.array(z.object({ strategy: z.string().nullable(), ...share })),
    byCiType: z.array(z.object({ type: z.string().nullable(), ...share })),
    truncated: z.boolean(),
  })
  .meta({ id: 'CorrelationQuality' });
