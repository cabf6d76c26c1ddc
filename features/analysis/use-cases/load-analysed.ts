import { type Correlated, loadCorrelations } from '#application/events/load-correlations.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type IncidentAnalysis, incidentAnalysis } from './incident-records.ts';
import { withAnalysis } from './show-analysis.ts';

export interface AnalysedCorrelations extends Correlated {
  /** Of the group; null without one, and before it is made. */
  readonly incident: IncidentAnalysis | null;
}

/** An event with all that correlation knows of it, and what the analyses of both say. */
export const loadAnalysed = async (ports: Ports, tenant: string, eventId: string): Promise<AnalysedCorrelations> => {
  const found = await loadCorrelations(ports, tenant, eventId);
  const [event, incident] = await Promise.all([
    withAnalysis(ports, found.event),
    found.group && incidentAnalysis(ports, tenant, found.group.id),
  ]);
  return { ...found, event, incident };
};
