import { INCIDENT_DUE, storeIncident } from '#application/events/incident-records.ts';
import { byTenant } from '#application/operations/by-tenant.ts';
import { type DueAfter, dueByTenant, markDue } from '#application/records/due-records.ts';
import { analysingSettings } from '#application/records/tenant-settings.ts';
import { GROUP_CARE, type GroupAssignment, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { zip } from '#domain/zip.ts';
import { BY_RULES, recordOf } from '#features/analysis/rules/analysis.ts';
import { analyseEvents, analysesOf } from './analyse-events.ts';
import { queueForModel } from './queue-for-model.ts';

const SECOND_MS = 1_000;
/** Time from the last change of a group to its analysis, and the latest time. */
const DUE_AFTER: DueAfter = { quietMs: 30 * SECOND_MS, latestMs: 300 * SECOND_MS };
/** Groups analysed per run. */
const PER_RUN = 200;
/** Groups of one tenant that are analyzed together, so that shared records are read once. */
const AT_ONCE = 50;

/** A group that is to be analysed. */
interface IncidentKey {
  readonly tenant: string;
  readonly groupId: string;
}

type OfGroup = Extract<SinkEvent, { happened: 'group' }>;
const isOfGroup = (one: SinkEvent): one is OfGroup => one.happened === 'group';

const markChanged = (ports: Ports, changed: IncidentKey): Promise<void> =>
  markDue(ports, [INCIDENT_DUE, `${changed.tenant}:${changed.groupId}`], changed, DUE_AFTER);

/** The candidates of the groups that got another one, unless they were analysed since. */
const changedCauses = async (ports: Ports, tenant: string, batch: readonly OfGroup[]): Promise<Event[]> => {
  const told = batch.filter(({ change }) => change === 'created' || change === 'root-cause');
  const groups = await Promise.all(told.map(({ id }) => ports.correlation.group(tenant, id)));
  const at = new Map(
    zip(groups, told).flatMap(([group, { at: asOf }]) => (group?.candidate ? [[group.candidate.eventId, asOf]] : [])),
  );
  const events = await ports.events.getMany(tenant, [...at.keys()]);
  return events.filter(({ id, aiAnalysis }) => (aiAnalysis?.generatedAt ?? 0) < (at.get(id) ?? 0));
};

/** Analyses new causes again and leaves word of the groups; all of it is durable when it resolves. */
export const takeGroups = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch.filter(isOfGroup), async (tenant, own) => {
    const settings = await analysingSettings(ports, tenant);
    if (settings === null) return;
    const changed = new Set(own.map(({ id }) => id));
    await Promise.all([...changed].map((groupId) => markChanged(ports, { tenant, groupId })));
    await analyseEvents(ports, tenant, await changedCauses(ports, tenant, own), settings);
  });

/** Groups that stand by now, each once. */
const standing = async ({ correlation }: Ports, tenant: string, ids: readonly string[]): Promise<Group[]> => {
  const groups = await Promise.all(ids.map((id) => correlation.group(tenant, id)));
  return [...new Map(groups.flatMap((group) => (group === null ? [] : [[group.id, group] as const]))).values()];
};

/** Analyzes the representative event of each group: its candidate, else its founder. */
const analyseOf = async (ports: Ports, tenant: string, ids: readonly string[]): Promise<void> => {
  const settings = await analysingSettings(ports, tenant);
  if (settings === null) return;
  const groups = await standing(ports, tenant, ids);
  const leading = await Promise.all(
    groups.map(async (group) => {
      const care = (await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, group.id))?.body ?? {};
      return leadingEventOf({ group, care }) ?? group.foundedBy;
    }),
  );
  const causes = await ports.events.getMany(tenant, [...new Set(leading)]);
  if (causes.length === 0) return;
  const { analyses } = await analysesOf(ports, tenant, causes, settings, { isWhole: false });
  const byEvent = new Map(analyses.map((analysed) => [analysed.about.event.id, analysed]));
  const found = zip(groups, leading).flatMap(([group, id]) => {
    const analysed = byEvent.get(id);
    return analysed === undefined ? [] : [{ group, eventId: id, analysed }];
  });
  const now = ports.clock.now();
  await Promise.all(
    found.map(({ group, eventId, analysed }) =>
      storeIncident(ports, tenant, group.id, { eventId, analysis: recordOf(analysed, now, BY_RULES, group.id) }),
    ),
  );
  queueForModel(ports, tenant, analyses);
  ports.metrics.count('faultline_analyses_total', { by: 'rules' }, found.length);
};

/** Analyses the groups that are due. Throws when one could not be, after all others were. */
export const analyseIncidents = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't analyze ${count} groups`;
  const options = { most: PER_RUN, atOnce: AT_ONCE, isStopping, failed };
  return dueByTenant<IncidentKey>(ports, INCIDENT_DUE, options, (tenant, due) =>
    analyseOf(
      ports,
      tenant,
      due.map(({ groupId }) => groupId),
    ),
  );
};
