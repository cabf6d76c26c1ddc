import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { TOPICS } from '#features/analysis/rules/subject/focus.ts';
import { SUBJECT_KINDS } from '#features/analysis/rules/subject/picture.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { IsoTime } from '#schemas/http/time.ts';
import { SimilarIncidentBody } from './similar.ts';

/** Analyses on request (docs/insights.md). */

const MAX_QUESTION = 1_000;
const id = z.string().trim().min(1).max(256);

const ONE = 'expected exactly one of eventId, correlationId, ciId and serviceId';
export const AnalyzeSubject = z
  .strictObject({
    eventId: id.optional(),
    correlationId: id.optional().meta({ description: 'Group ID (current or merged)' }),
    ciId: id.optional(),
    serviceId: id.optional(),
    question: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUESTION)
      .optional()
      .meta({ description: 'Focuses the summary; never sent to a model' }),
  })
  .refine((body) => [body.eventId, body.correlationId, body.ciId, body.serviceId].filter(Boolean).length === 1, {
    error: ONE,
    path: ['eventId'],
  })
  .meta({
    ...exactlyOneOf('eventId', 'correlationId', 'ciId', 'serviceId'),
    id: 'AnalyzeSubject',
    example: { correlationId: 'COR-1763632800000-00k3f1', question: 'What caused it, and what should I do?' },
  });

const refs = z.array(z.string()).meta({ description: 'Citation refs' });
const share = z.number().min(0).max(1);
const count = z.int().min(0);

const SubjectImpact = z.object({
  text: z.string(),
  refs,
  total: count.meta({ description: 'Impacted CIs' }),
  truncated: z.boolean().meta({ description: 'True if more exist' }),
  protected: count.meta({ description: 'CIs protected by redundancy' }),
  cis: z
    .array(z.object({ ciId: z.string(), name: z.string(), type: z.string(), hops: count }))
    .meta({ description: 'Nearest 50 CIs' }),
  services: z.array(
    z.object({
      serviceId: z.string(),
      name: z.string(),
      criticality: z.string(),
      impact: z.enum(['full_outage', 'degraded_functionality']),
    }),
  ),
});

export const AnalyzedSubjectBody = z
  .object({
    subject: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string(), name: z.string(), href: z.string() }),
    summary: z.string().meta({ description: 'Sentences, one per line; the only part that a model can write' }),
    focus: z
      .object({ topics: z.array(z.enum(TOPICS)), names: z.array(z.string()) })
      .nullable()
      .meta({ description: 'Interpretation of the question; null without a question' }),
    hypothesis: z.object({ text: z.string(), confidence: share, reasoning: z.string(), refs }),
    alternatives: z.array(
      z.object({
        text: z.string(),
        eventId: z.string(),
        refs,
        score: z.number().nullable().meta({ description: 'Correlation score; null if not a candidate' }),
      }),
    ),
    timeline: z.array(z.object({ at: IsoTime, text: z.string(), refs })).meta({ description: 'Oldest first' }),
    impact: SubjectImpact,
    recommendations: z.array(z.object({ action: z.string(), why: z.string(), refs })),
    similar: z
      .array(SimilarIncidentBody)
      .meta({ description: 'Up to three most similar earlier incidents, and how they were resolved' }),
    events: z.object({ read: count, total: count }),
    severity: z
      .enum(SEVERITIES)
      .nullable()
      .meta({ description: 'Severity of the representative event; null: none open' }),
    ...evidenceFields,
  })
  .meta({ id: 'AnalyzedSubject' });
