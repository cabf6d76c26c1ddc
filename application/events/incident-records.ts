import { searchDue } from '#application/records/search-due.ts';
import { GROUP_CARE, type GroupAssignment, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import type { AiAnalysis } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Kind without a tenant, by tenant and group: something has changed since the last analysis. */
export const INCIDENT_DUE = 'incident-due';

const KIND = 'incident-analysis';
const KEPT_MS = 400 * 24 * 3_600_000;

/** The analysis of a group, and its representative event. */
export interface IncidentAnalysis {
  /** Storage id of the cause, or of the event that founded the group. */
  readonly eventId: string;
  readonly analysis: AiAnalysis;
}

type IncidentPorts = Pick<Ports, 'records' | 'events'>;

/** An analysis from before a verdict gets the sentence of the verdict. */
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
  const text = verdictText({
    by: by.name,
    isRight: cause === 'right',
    note,
    root: eventWords(root),
    scored: scored === undefined ? null : eventWords(scored),
  });
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
