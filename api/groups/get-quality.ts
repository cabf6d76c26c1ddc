import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type Quality, qualityOf } from '#application/groups/quality.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { QualityBody } from '#schemas/http/events/quality.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';

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
