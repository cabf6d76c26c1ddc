import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { INSIGHT_KINDS } from '#features/detectors/rules/finding.ts';
import { notWith } from '#schemas/http/common.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** Findings of detectors (docs/insights.md). */

const MAX_CIS = 100;
const MAX_RANGE = 200;
const id = z.string().trim().min(1).max(256);
const point = z.union([z.string().max(64), z.number()]);

export const GenerateInsights = z
  .strictObject({
    scope: z
      .strictObject({
        ciIds: z.array(id).min(1).max(MAX_CIS).optional(),
        serviceId: id.optional().meta({ description: 'Service: its components, and events that name it' }),
        timeRange: z
          .union([z.string().min(1).max(MAX_RANGE), z.strictObject({ from: point, to: point.optional() })])
          .optional()
          .meta({
            description:
              '24h, last_30_days, yesterday, since monday or { from, to }, up to 90 days; default: last 7 days',
          }),
      })
      .refine(({ ciIds, serviceId }) => ciIds === undefined || serviceId === undefined, {
        error: 'expected ciIds or serviceId, not both',
        path: ['serviceId'],
      })
      .meta(notWith('ciIds', 'serviceId'))
      .optional(),
    kinds: z
      .array(z.enum(INSIGHT_KINDS))
      .min(1)
      .max(INSIGHT_KINDS.length)
      .optional()
      .meta({ description: 'Detectors to run; default: all' }),
  })
  .meta({ id: 'GenerateInsights', example: { scope: { timeRange: 'last_7_days' }, kinds: ['noisy-monitor'] } });

const Insight = z
  .object({
    id: z.string().meta({ description: 'INS-…; stable for the same finding' }),
    kind: z.enum(INSIGHT_KINDS),
    severity: z.enum(SEVERITIES),
    title: z.string(),
    detail: z.string(),
    metric: z.object({
      name: z.string(),
      value: z.number(),
      unit: z.enum(['count', 'share', 'ratio', 'days', 'hours']),
      threshold: z.number().meta({ description: 'Reporting threshold' }),
    }),
    recommendation: z.string(),
    confidence: z.number().min(0).max(1),
    refs: z.array(z.string()).meta({ description: 'Citation refs' }),
  })
  .meta({ id: 'Insight' });

export const GeneratedInsightsBody = z
  .object({
    insights: z.array(Insight).meta({ description: 'Most important first, up to 20' }),
    more: z.int().min(0).meta({ description: 'Number of further findings' }),
    range: z.object({ from: IsoTime, to: IsoTime }),
    looked: z.array(
      z.object({
        what: z.enum(['signatures', 'hours', 'events', 'cis', 'incidents', 'changes']),
        read: z.int().min(0),
        truncated: z.boolean().meta({ description: 'True for partial results' }),
      }),
    ),
    failed: z.array(z.enum(INSIGHT_KINDS)).meta({ description: 'Detectors that timed out' }),
    ...evidenceFields,
  })
  .meta({ id: 'GeneratedInsights' });
