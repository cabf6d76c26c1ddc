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
    correlationId: z.string().optional().meta({ description: 'Group ID, for group analyses' }),
    anomalyScore: z.number().min(0).max(1).meta({ description: 'Higher is more unusual' }),
    rootCauseHypothesis: z.string(),
    relatedEvents: z.array(z.string()),
    recommendedActions: z.array(z.string()),
    warnings: z.array(z.string()).optional().meta({ description: "Caveats about the event's grouping" }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Confidence of the hypothesis; 0 without a root cause' }),
    abstained: z.boolean().optional().meta({ description: 'No root cause identified: confidence too low' }),
    history: z
      .object({
        text: z.string(),
        events: z.number().int().meta({ description: 'Earlier events with the same problem' }),
        episodes: z.number().int().meta({ description: 'Occurrence bursts separated by more than 20 minutes' }),
        days: z.number().meta({ description: 'Days of history before the event, up to 30' }),
      })
      .optional(),
    citations: z
      .array(z.object({ ref: z.string(), kind: z.string(), id: z.string(), label: z.string(), href: z.string() }))
      .optional()
      .meta({ description: 'Evidence cited by the sentences' }),
    refs: z
      .object({ history: Refs, hypothesis: Refs, actions: z.array(Refs), warnings: z.array(Refs).optional() })
      .optional()
      .meta({ description: 'Citation refs of each sentence' }),
    claims: z.array(ClaimBody).optional().meta({
      description: 'All sentences, in this order: history, hypothesis, warnings, actions',
    }),
    generatedAt: IsoTime,
    generatedBy: z.enum(['rules', 'model']),
    model: z.string().nullable(),
    degraded: z.string().nullable().meta({ description: 'Why no model contributed although one was requested' }),
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

/** The analysis of a group, with the storage id of its representative event. */
interface AnalyzedIncident {
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

export const incidentView = (incident: AnalyzedIncident | null) =>
  incident === null ? {} : { aiAnalysis: analysisView(incident.eventId, incident.analysis) };
