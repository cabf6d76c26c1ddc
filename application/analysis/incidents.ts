import { everyRecord } from '#application/records/list-records.ts';
import { BY_RULES, recordOf } from '#domain/analysis/analysis.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Happening } from '#domain/ports/sink.ts';
import { analyseEvents, analysesOf, analysingSettings } from './analyse-events.ts';
import { storeIncident } from './incident-records.ts';
import { queueForModel } from './queue-for-model.ts';

const SECOND_MS = 1_000;
/** A group is analysed so long after its last change, and after so many minutes at the latest. */
const QUIET_MS = 30 * SECOND_MS;
const LATEST_MS = 300 * SECOND_MS;
/** Groups analysed per run, the longest due first. */
const PER_RUN = 200;

const DUE_KIND = 'incident-due';

/** A group that is to be analysed. These records lie with the system, so that one list finds all. */
interface Due {
  readonly tenant: string;
  readonly groupId: string;
  /** First change since the last analysis, ms. */
  readonly since: number;
  readonly dueAt: number;
}

type OfGroup = Extract<Happening, { happened: 'group' }>;
const isOfGroup = (one: Happening): one is OfGroup => one.happened === 'group';

const dueIdOf = (tenant: string, groupId: string): string => `${tenant}:${groupId}`;

/** By the clock of this process, which the job goes by as well: records may be stamped by another. */
const markDue = async ({ records, clock }: Ports, tenant: string, groupId: string): Promise<void> => {
  const id = dueIdOf(tenant, groupId);
  const now = clock.now();
  const since = (await records.get<Due>(SYSTEM_TENANT, DUE_KIND, id))?.body.since ?? now;
  const dueAt = Math.min(now + QUIET_MS, since + LATEST_MS);
  await records.put<Due>(SYSTEM_TENANT, DUE_KIND, id, { tenant, groupId, since, dueAt });
};

/** The candidates of the groups that got another one, unless they were analysed since. */
const changedCauses = async (ports: Ports, tenant: string, batch: readonly OfGroup[]): Promise<Event[]> => {
  const told = batch.filter(({ change }) => change === 'created' || change === 'root-cause');
  const groups = await Promise.all(told.map(({ id }) => ports.correlation.group(tenant, id)));
  const at = new Map(groups.flatMap((group, i) => (group?.candidate ? [[group.candidate.eventId, told[i]!.at]] : [])));
  const events = await ports.events.getMany(tenant, [...at.keys()]);
  return events.filter(({ id, aiAnalysis }) => (aiAnalysis?.generatedAt ?? 0) < (at.get(id) ?? 0));
};

/** Analyses new causes again and leaves word of the groups; all of it is durable when it resolves. */
export const takeGroups = async (ports: Ports, batch: readonly Happening[]): Promise<void> => {
  for (const [tenant, own] of Map.groupBy(batch.filter(isOfGroup), (one) => one.tenant)) {
    const settings = await analysingSettings(ports, tenant);
    if (settings === null) continue;
    for (const id of new Set(own.map((one) => one.id))) await markDue(ports, tenant, id);
    await analyseEvents(ports, tenant, await changedCauses(ports, tenant, own), settings);
  }
};

/** The event that stands for the group: its candidate, else the one that founded it. */
const analyseIncident = async (ports: Ports, { tenant, groupId }: Due): Promise<void> => {
  const settings = await analysingSettings(ports, tenant);
  const group = settings && (await ports.correlation.group(tenant, groupId));
  const cause = group && (await ports.events.get(tenant, group.candidate?.eventId ?? group.foundedBy));
  if (!settings || !group || !cause) return;
  const { analyses } = await analysesOf(ports, tenant, [cause], settings);
  const analysis = recordOf(analyses[0]!, ports.clock.now(), BY_RULES, group.id);
  await storeIncident(ports, tenant, group.id, { eventId: cause.id, analysis });
  queueForModel(ports, tenant, analyses);
  ports.metrics.count('faultline_analyses_total', { by: 'rules' });
};

/** A group that changed meanwhile is due again. */
const settle = async ({ records }: Ports, due: Due): Promise<void> => {
  const id = dueIdOf(due.tenant, due.groupId);
  const stored = (await records.get<Due>(SYSTEM_TENANT, DUE_KIND, id))?.body;
  if (stored?.dueAt === due.dueAt) await records.remove(SYSTEM_TENANT, DUE_KIND, id);
};

/** Analyses the groups that are due. Throws when one could not be, after all others were. */
export const analyseIncidents = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const now = ports.clock.now();
  const all = await everyRecord<Due>(ports.records, SYSTEM_TENANT, DUE_KIND);
  const due = all.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
  const errors: unknown[] = [];
  for (const one of due.slice(0, PER_RUN)) {
    if (isStopping()) return;
    await analyseIncident(ports, one)
      .then(() => settle(ports, one))
      .catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(`${errors.length} groups could not be analysed`, { cause: errors[0] });
};
