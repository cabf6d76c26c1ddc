import { z } from 'zod';
import { type AiAnalysis, eventIdOf } from '#domain/event/event.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** An analysis as it leaves; `refs` lead from each sentence to the citations. */

const Refs = z.array(z.string());

export const AiAnalysisBody = z
  .object({
    eventId: z.string(),
    ciId: z.string().nullable(),
    correlationId: z.string().optional().meta({ description: 'Of an analysis of a whole group' }),
    anomalyScore: z.number().min(0).max(1).meta({ description: 'Higher is more unusual' }),
    rootCauseHypothesis: z.string(),
    relatedEvents: z.array(z.string()),
    recommendedActions: z.array(z.string()),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Of the hypothesis; 0 when no cause is named' }),
    abstained: z.boolean().optional().meta({ description: 'No cause is named, as nothing is sure enough' }),
    history: z
      .object({
        text: z.string(),
        events: z.number().int().meta({ description: 'Earlier events with this complaint' }),
        episodes: z.number().int().meta({ description: 'Runs of them, apart by more than 20 minutes' }),
        days: z.number().meta({ description: 'Days before the event that are known, at most 30' }),
      })
      .optional(),
    citations: z
      .array(z.object({ ref: z.string(), kind: z.string(), id: z.string(), label: z.string(), href: z.string() }))
      .optional()
      .meta({ description: 'What the sentences stand on' }),
    refs: z
      .object({ history: Refs, hypothesis: Refs, actions: z.array(Refs) })
      .optional()
      .meta({ description: 'The citations of each sentence, by their ref' }),
    generatedAt: IsoTime,
    generatedBy: z.enum(['rules', 'model']),
    model: z.string().optional(),
    degraded: z.string().optional().meta({ description: 'Why no model had a part in it though one was asked' }),
  })
  .meta({ id: 'AiAnalysis' });

/** `id`: of the event, or of the cause of a group. */
export const analysisView = (id: string, { ciId, ...analysis }: AiAnalysis) => ({
  eventId: eventIdOf(id),
  ciId: ciId ?? null,
  ...analysis,
  generatedAt: iso(analysis.generatedAt),
});

/** The analysis of a group, with the storage id of the event that stands for it. */
export interface Incident {
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

export const incidentView = (incident: Incident | null) =>
  incident === null ? {} : { aiAnalysis: analysisView(incident.eventId, incident.analysis) };
