import { z } from 'zod';
import { AGENT_IDS, SUBJECT_KINDS, VERDICTS } from '#features/agents/rules/agents.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** Agents and their accuracy (docs/ai.md). */

const share = z.number().min(0).max(1);
const Interval = z.object({ low: share, high: share }).meta({ description: '95% Wilson interval' });

const Performance = z
  .object({
    decisions_made: z.int().meta({ description: 'In the last 90 days' }),
    success_rate: share
      .nullable()
      .meta({ description: 'Share of correct decisions among those with feedback; null: none' }),
    avg_confidence: share.nullable().meta({ description: 'Mean confidence, 0 to 1' }),
    judged: z.int().meta({ description: 'Number of decisions with feedback' }),
    interval: Interval.nullable(),
    abstained: z.int(),
  })
  .meta({ id: 'AgentPerformance' });

export const AgentView = z
  .object({
    id: z.enum(AGENT_IDS),
    name: z.string(),
    type: z.enum(AGENT_IDS),
    status: z.enum(['active', 'learning']).meta({ description: 'learning: fewer than 20 decisions with feedback' }),
    capabilities: z.array(z.string()),
    performance: Performance,
  })
  .meta({ id: 'Agent' });

export interface AgentPath {
  readonly id: string;
}

export const AgentQuery = z
  .strictObject({
    query: z.string().trim().min(1).max(1_000),
    context: z
      .strictObject({
        time_range: z
          .string()
          .max(200)
          .optional()
          .meta({ description: '24h, last_30_days, yesterday, since monday; default: last 24 hours' }),
        budget_limit: z
          .number()
          .min(0)
          .max(1_000_000)
          .optional()
          .meta({ description: 'Maximum model cost of this query, in the currency of the prices; 0: no model' }),
      })
      .optional(),
  })
  .meta({ id: 'AgentQuery', example: { query: 'What caused the outage?', context: { time_range: '24h' } } });

export type AgentQuery = z.output<typeof AgentQuery>;

export const AgentReply = z
  .object({
    agent_id: z.enum(AGENT_IDS),
    response: z.object({
      summary: z.string(),
      details: z.array(z.object({ text: z.string(), refs: z.array(z.string()) })),
      confidence: share,
      reasoning: z.string(),
    }),
    ...evidenceFields,
  })
  .meta({ id: 'AgentReply' });

export const FeedbackRequest = z
  .strictObject({
    subject: z.strictObject({
      kind: z.enum(SUBJECT_KINDS),
      id: z.string().trim().min(1).max(255).meta({ description: 'EVT-…, COR-…, or the ID of the record' }),
    }),
    verdict: z.enum(VERDICTS),
    note: z.string().max(2_000).optional(),
  })
  .meta({
    id: 'AgentFeedback',
    example: { subject: { kind: 'group', id: 'COR-1763632800000-00k3f1' }, verdict: 'right' },
  });

export type FeedbackRequest = z.output<typeof FeedbackRequest>;

export const FeedbackReply = z
  .object({
    agent_id: z.enum(AGENT_IDS),
    subject: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() }),
    verdict: z.enum(VERDICTS),
    confidence: share.nullable().meta({ description: 'Decision that received feedback' }),
    recorded_at: IsoTime,
  })
  .meta({ id: 'AgentFeedbackReply' });

const Bin = z.object({
  from: share,
  to: share,
  judged: z.int(),
  mean_confidence: share.nullable(),
  hit_rate: share.nullable(),
});

export const CalibrationReply = z
  .object({
    agent_id: z.enum(AGENT_IDS),
    bins: z.array(Bin),
    judged: z.int(),
    error: share.nullable().meta({ description: 'Expected calibration error, weighted by bin' }),
    max_error: share.nullable().meta({ description: 'Setting ai.maxError' }),
    threshold: share.nullable().meta({
      description: 'Lowest confidence that meets max_error over 30 or more decisions with feedback; null: none',
    }),
    abstain_below: share.meta({ description: 'Confidence below which no root cause is reported' }),
  })
  .meta({ id: 'AgentCalibration' });
