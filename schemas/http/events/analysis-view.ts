import { z } from 'zod';
import { type AiAnalysis, eventIdOf } from '#domain/event/event.ts';
import { ClaimBody, claimBody } from '#schemas/http/claims.ts';
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
    warnings: z.array(z.string()).optional().meta({ description: 'What speaks against the group of the event' }),
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
      .object({ history: Refs, hypothesis: Refs, actions: z.array(Refs), warnings: z.array(Refs).optional() })
      .optional()
      .meta({ description: 'The citations of each sentence, by their ref' }),
    claims: z.array(ClaimBody).optional().meta({
      description: 'All sentences: the history, the hypothesis, the warnings, then the actions',
    }),
    generatedAt: IsoTime,
    generatedBy: z.enum(['rules', 'model']),
    model: z.string().nullable(),
    degraded: z.string().nullable().meta({ description: 'Why no model had a part in it though one was asked' }),
  })
  .meta({ id: 'AiAnalysis' });

const claimsOf = ({
  history,
  rootCauseHypothesis,
  warnings = [],
  recommendedActions,
  refs,
  certainties,
}: AiAnalysis) => {
  if (history === undefined || refs === undefined || certainties === undefined) return {};
  const texts = [history.text, rootCauseHypothesis, ...warnings, ...recommendedActions];
  const cited = [refs.history, refs.hypothesis, ...(refs.warnings ?? []), ...refs.actions];
  const claims = texts.map((text, i) => claimBody({ text, refs: cited[i] ?? [], certainty: certainties[i] ?? 'fact' }));
  return { claims };
};

/** `id`: of the event, or of the cause of a group. */
export const analysisView = (id: string, analysis: AiAnalysis) => {
  const { ciId = null, model = null, degraded = null, certainties: _, ...shown } = analysis;
  return {
    eventId: eventIdOf(id),
    ciId,
    ...shown,
    ...claimsOf(analysis),
    generatedAt: iso(analysis.generatedAt),
    model,
    degraded,
  };
};

/** The analysis of a group, with the storage id of the event that stands for it. */
interface Incident {
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

export const incidentView = (incident: Incident | null) =>
  incident === null ? {} : { aiAnalysis: analysisView(incident.eventId, incident.analysis) };
