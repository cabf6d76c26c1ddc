import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type Quality, qualityOf } from '#application/groups/quality.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';

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
  splits: count.meta({ description: 'How often people took a part out of a group' }),
  merges: count.meta({ description: 'How often people put events or groups together' }),
  truncated: z.boolean().meta({ description: 'The audit trail has more entries than are looked at' }),
});

const QualityBody = z
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

const qualityView = ({ isTruncated, byStrategy, byCiType, calibration, corrections, ...quality }: Quality) => {
  const { isTruncated: truncated, ...mended } = corrections;
  return {
    ...quality,
    corrections: { ...mended, truncated },
    calibration: { ...calibration, bins: [...calibration.bins] },
    byStrategy: [...byStrategy],
    byCiType: [...byCiType],
    truncated: isTruncated,
  };
};

export const getQuality = endpoint<{ readonly lastMs: number }, Quality>({
  id: 'events.quality',
  summary: 'Count what people said of groups',
  description:
    'By the strategy of the best link of the cause, and by the type of its CI. At most 1,000 groups of each verdict. Beside them, what people mended by hand.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/quality',
      query: z.strictObject({ timeRange: TimeRange.default('7d') }),
      reply: succeeded({ quality: QualityBody }),
      read: ({ query }) => ({ lastMs: TIME_RANGES[query.timeRange] }),
      present: (quality) => ({ body: { quality: qualityView(quality) } }),
    }),
  ],
  handle: ({ lastMs }, { tenant, ports, receivedAt }) => qualityOf(ports, tenant, receivedAt - lastMs),
});
