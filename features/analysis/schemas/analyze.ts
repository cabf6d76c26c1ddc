import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { TOPICS } from '#features/analysis/rules/subject/focus.ts';
import { SUBJECT_KINDS } from '#features/analysis/rules/subject/picture.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** Analyses on request (docs/insights.md). */

const MAX_QUESTION = 1_000;
const id = z.string().trim().min(1).max(256);

const ONE = 'expected exactly one of eventId, correlationId, ciId and serviceId';
export const AnalyzeSubject = z
  .strictObject({
    eventId: id.optional(),
    correlationId: id.optional().meta({ description: 'Also an id that the group had before it was merged' }),
    ciId: id.optional(),
    serviceId: id.optional(),
    question: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUESTION)
      .optional()
      .meta({ description: 'Narrows the summary by its words and by the names in it; it is shown to no model' }),
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

const refs = z.array(z.string()).meta({ description: 'Citations, by their ref' });
const share = z.number().min(0).max(1);
const count = z.int().min(0);

const SubjectImpact = z.object({
  text: z.string(),
  refs,
  total: count.meta({ description: 'CIs that fail with it' }),
  truncated: z.boolean().meta({ description: 'There are more' }),
  protected: count.meta({ description: 'CIs that redundancy saves' }),
  cis: z
    .array(z.object({ ciId: z.string(), name: z.string(), type: z.string(), hops: count }))
    .meta({ description: 'The nearest 50' }),
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
    summary: z.string().meta({ description: 'Sentences, one a line; a model words these alone' }),
    focus: z
      .object({ topics: z.array(z.enum(TOPICS)), names: z.array(z.string()) })
      .nullable()
      .meta({ description: 'What was understood of the question; null without one' }),
    hypothesis: z.object({ text: z.string(), confidence: share, reasoning: z.string(), refs }),
    alternatives: z.array(
      z.object({
        text: z.string(),
        eventId: z.string(),
        refs,
        score: z.number().nullable().meta({ description: 'Of the correlation; null for what was no candidate' }),
      }),
    ),
    timeline: z.array(z.object({ at: IsoTime, text: z.string(), refs })).meta({ description: 'Oldest first' }),
    impact: SubjectImpact,
    recommendations: z.array(z.object({ action: z.string(), why: z.string(), refs })),
    events: z.object({ read: count, total: count }),
    severity: z
      .enum(SEVERITIES)
      .nullable()
      .meta({ description: 'Of the event that stands for it; null: none is open' }),
    ...groundsFields,
  })
  .meta({ id: 'AnalyzedSubject' });
