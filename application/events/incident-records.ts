import { searchDue } from '#application/records/search-due.ts';
import { GROUP_CARE, type GroupAssignment, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { AiAnalysis } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Kind without a tenant, by tenant and group: something has changed since the last analysis. */
export const INCIDENT_DUE = 'incident-due';

const KIND = 'incident-analysis';
const SHOWN_NOTE = 120;
const KEPT_MS = 400 * 24 * 3_600_000;

/** The analysis of a group, and its representative event. */
export interface IncidentAnalysis {
  /** Storage id of the cause, or of the event that founded the group. */
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

type IncidentPorts = Pick<Ports, 'records' | 'events'>;

/** The words of an analysis that was made before a person set the cause. */
async function withVerdict(
  { events }: IncidentPorts,
  tenant: string,
  incident: IncidentAnalysis,
  verdict: Verdict | undefined,
): Promise<IncidentAnalysis> {
  if (verdict === undefined) return incident;
  const { analysis, eventId } = incident;
  const { cause, rootEventId, note, by, at } = verdict;
  if (cause === 'unknown' || rootEventId === undefined || at < analysis.generatedAt) return incident;
  const found = await events.getMany(tenant, [rootEventId, eventId]);
  const root = found.find(({ id }) => id === rootEventId);
  if (root === undefined) return incident;
  const scored = found.find(({ id }) => id === eventId && id !== rootEventId);
  const said = note === undefined ? '' : `, ${note.slice(0, SHOWN_NOTE)}`;
  const other = scored === undefined ? '' : `; the score had ${eventWords(scored)}`;
  const text = `Root cause set by ${by.name}: ${eventWords(root)}${said}${other}.`;
  return {
    eventId: rootEventId,
    analysis: { ...analysis, rootCauseHypothesis: text, confidence: 1, abstained: false },
  };
}

export const incidentAnalysis = async (
  ports: IncidentPorts,
  tenant: string,
  groupId: string,
): Promise<IncidentAnalysis | null> => {
  const [stored, care] = await Promise.all([
    ports.records.get<IncidentAnalysis>(tenant, KIND, groupId),
    ports.records.get<GroupAssignment>(tenant, GROUP_CARE, groupId),
  ]);
  return stored === null ? null : withVerdict(ports, tenant, stored.body, care?.body.verdict);
};

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
