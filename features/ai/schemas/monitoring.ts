import { z } from 'zod';
import { dayExists } from '#domain/texts/time-text.ts';
import { GROUPINGS } from '#features/ai/rules/usage.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { DAY_PATTERN } from '#schemas/http/time.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const date = z
  .string()
  .refine((text) => DATE.test(text) && dayExists(text), 'expected a date (2026-11-20)')
  .meta({ format: 'date', pattern: DAY_PATTERN, description: 'UTC, inclusive' });

export const MonitoringQuery = z.strictObject({
  startDate: date.optional(),
  endDate: date.optional(),
  groupBy: z.enum(GROUPINGS).default('service'),
});

const count = z.int().min(0);
const only = (of: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `null unless grouped by ${of}` });
const Metric = z
  .object({
    service: only('service'),
    model: only('model'),
    day: only('day'),
    department: z
      .string()
      .nullable()
      .meta({ description: 'null unless grouped by department, or without a department' }),
    callCount: count.meta({ description: 'Requests to the provider, including failed ones' }),
    inputTokens: count,
    outputTokens: count,
    estimatedCost: z.number(),
    averageLatency: z.number().meta({ description: 'ms' }),
    errorRate: z.number().min(0).max(1),
  })
  .meta({ id: 'AiMetric' });

export const MonitoringReply = succeeded({
  metrics: z.array(Metric),
  summary: z
    .object({
      totalTokens: count,
      estimatedCost: z.number(),
      priced: z.boolean().meta({ description: 'True if prices of all calls are configured (OPENAI_INPUT_PRICE)' }),
      totalCalls: count,
      averageLatency: z.number().meta({ description: 'ms' }),
      rulesAnswers: count.meta({ description: 'Rule-based answers' }),
      budget: z.object({ used: count, limit: count }).meta({ description: 'Tokens used today (UTC)' }),
    })
    .meta({ id: 'AiUsageSummary' }),
});
