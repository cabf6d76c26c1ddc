import { z } from 'zod';

/** Verdicts of users on groups, counted. */

const count = z.int().min(0);
const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const share = {
  right: count,
  of: count.meta({ description: 'Right and wrong verdicts' }),
  interval: interval.meta({ description: '95% Wilson interval of right / of' }),
};

const part = z.number().min(0).max(1);
const calibration = z.object({
  of: count.meta({ description: 'Right and wrong verdicts on root causes with a confidence' }),
  error: part.nullable().meta({ description: 'Expected calibration error over five bins; null below 30 verdicts' }),
  bins: z.array(
    z.object({
      from: part,
      to: part,
      judged: count,
      meanConfidence: part.nullable(),
      hitRate: part.nullable(),
      interval: interval.meta({ description: '95% Wilson interval of hitRate' }),
    }),
  ),
});
const corrections = z.object({
  splits: count.meta({ description: 'Manual splits, excluding undone ones' }),
  merges: count.meta({ description: 'Manual merges, excluding undone ones' }),
  truncated: z.boolean().meta({ description: 'True if the audit log has more entries than were scanned' }),
});

export const QualityBody = z
  .object({
    verdicts: count,
    cause: z.object(share),
    groups: z.object({
      correct: z.object(share).meta({ description: 'Groups with the right events' }),
      precise: z.object(share).meta({ description: 'Groups without unrelated events' }),
      complete: z.object(share).meta({ description: 'Groups without missing events' }),
    }),
    members: z.object({ right: count, too_many: count, too_few: count }),
    corrections,
    calibration,
    byStrategy: z.array(z.object({ strategy: z.string().nullable(), ...share })),
    byCiType: z.array(z.object({ type: z.string().nullable(), ...share })),
    truncated: z.boolean(),
  })
  .meta({ id: 'CorrelationQuality' });
