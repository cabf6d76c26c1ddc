import { searchDue } from '#application/records/search-due.ts';
import type { AiAnalysis } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Of no tenant, by tenant and group: something has changed since the last analysis. */
export const INCIDENT_DUE = 'incident-due';

const KIND = 'incident-analysis';
const KEPT_MS = 400 * 24 * 3_600_000;

/** The analysis of a group, and the event that stands for it. */
export interface IncidentAnalysis {
  /** Storage id of the cause, or of the event that founded the group. */
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

export const incidentAnalysis = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  groupId: string,
): Promise<IncidentAnalysis | null> => (await records.get<IncidentAnalysis>(tenant, KIND, groupId))?.body ?? null;

export const storeIncident = async (
  { records, clock, ids }: Pick<Ports, 'records' | 'clock' | 'ids'>,
  tenant: string,
  groupId: string,
  incident: IncidentAnalysis,
): Promise<void> => {
  const sideRecords = [searchDue({ ids }, tenant, [{ kind: 'incident', id: groupId }])];
  await records.put<IncidentAnalysis>(tenant, KIND, groupId, incident, {
    expiresAt: clock.now() + KEPT_MS,
    sideRecords,
  });
};
