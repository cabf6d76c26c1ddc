import type { z } from 'zod';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import { groundsBody } from '#features/ai/schemas/grounds.ts';
import type { Factor } from '#features/change-risk/rules/factor.ts';
import type { AnalyzedChangeBody, QuickAssessedBody } from '#features/change-risk/schemas/changes.ts';
import type { AssessedChange, KeptChange } from '#features/change-risk/use-cases/changes.ts';
import { iso } from '#schemas/http/time.ts';

const SHOWN_INCIDENTS = 20;
type Incident = z.output<typeof AnalyzedChangeBody>['historicalIncidents'][number];

function incident(event: Event): Incident {
  const { known, kind } = complaintOf(event);
  const { severity, businessImpact, title, id, firstOccurrence } = event;
  const names = businessImpact?.affectedServices.map(({ name }) => name) ?? [];
  const impact = names.length === 0 ? severity : `${severity}: ${names.join(', ')}`;
  return { date: iso(firstOccurrence), type: known ?? kind, impact, eventId: eventIdOf(id), title };
}

export const factorBody = ({ name, value, effect, refs }: Factor) => ({ name, value, effect, refs: [...refs] });

export const quickBody = ({
  picture,
  risk,
  summary,
  grounds,
}: AssessedChange): Omit<z.output<typeof QuickAssessedBody>, 'success'> => ({
  riskScore: risk.riskScore,
  riskLevel: risk.riskLevel,
  summary,
  probability: risk.probability,
  impact: risk.impact,
  confidence: risk.confidence,
  changeType: picture.type ?? 'other',
  factors: risk.factors.map(factorBody),
  ...groundsBody(grounds),
});

export const analyzedBody = (assessed: KeptChange): Omit<z.output<typeof AnalyzedChangeBody>, 'success'> => {
  const { picture, risk, affected, assessmentId } = assessed;
  return {
    ...quickBody(assessed),
    assessmentId,
    affectedSystems: affected.map((one) => ({ ...one })),
    upstreamDependencies: picture.upstream.map(({ name }) => name),
    recommendations: [...risk.recommendations],
    historicalIncidents: (picture.events?.incidents ?? []).slice(0, SHOWN_INCIDENTS).map(incident),
    conflicts: picture.conflicts.map(({ plannedAt, ...one }) => ({ ...one, plannedTime: iso(plannedAt) })),
  };
};
