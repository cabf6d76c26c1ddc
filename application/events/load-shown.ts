import { type Correlated, loadCorrelations } from '#application/events/load-correlations.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type IncidentAnalysis, incidentAnalysis } from './incident-records.ts';

export interface ShownCorrelations extends Correlated {
  /** Analysis of the group; null without one, and before it is made. */
  readonly incident: IncidentAnalysis | null;
}

/** Returns an event with all correlation data, as it is shown, and the analysis of its group. */
export const loadShown = async (ports: Ports, tenant: string, eventId: string): Promise<ShownCorrelations> => {
  const found = await loadCorrelations(ports, tenant, eventId);
  const [event, incident] = await Promise.all([
    ports.shown(found.event),
    found.group && incidentAnalysis(ports, tenant, found.group.id),
  ]);
  return { ...found, event, incident };
};
