import type { z } from 'zod';
import type { AssessedChange, KeptChange } from '#application/changes/changes.ts';
import type { Factor } from '#domain/change/factor.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import type { AnalyzedChangeBody, QuickAssessedBody } from '#schemas/http/ai/changes.ts';
import { groundsBody } from '#schemas/http/ai/grounds.ts';
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
