import type { UseCaseContext } from '#application/access/context.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { type IncidentAnalysis, incidentAnalysis } from '#application/events/incident-records.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { countOn, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { summaryOf } from '#domain/correlation/grouping/group-summary.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import { secondBestOf } from '#domain/correlation/root-cause/certain.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ci, Impact } from '#domain/topology/topology.ts';
import { aheadOf, type CauseShown, earliestOf, judged } from './cause-facts.ts';
import { entriesOf } from './entries.ts';
import { findGroup } from './find-group.ts';
import { type GroupHit, hitsOf } from './services-of-causes.ts';

/** CIs that fail with the cause. */
const IMPACTED = 1_000;
const NO_IMPACT: Impact = { impacted: [], protected: [], truncated: false };

/** A group with all that is told of it. */
export interface ShownGroup extends CauseShown {
  readonly row: ListedGroup;
  /** The root-cause candidate, and the event that founded the group when there is none. */
  readonly root: Event | null;
  /** The best alternative of a cause that is not certain. */
  readonly second: Event | null;
  /** Events of the alternatives, and CIs that are named, by id. */
  readonly events: ReadonlyMap<string, Event>;
  readonly cis: ReadonlyMap<string, Pick<Ci, 'id' | 'name' | 'type'>>;
  readonly summary: string;
  readonly hit: GroupHit;
  readonly entries: readonly GroupEntry[];
  readonly incident: IncidentAnalysis | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an arrival since then takes no more members. */
  readonly quietBefore: number;
}

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;

/** CIs that are gone since fail with nothing. */
const impactOf = ({ tenant, ports }: Asking, known: readonly Ci[]): Promise<Impact> =>
  known.length === 0
    ? Promise.resolve(NO_IMPACT)
    : ports.graph.impact(
        tenant,
        known.map(({ id }) => id),
        { limit: IMPACTED },
      );

/** Throws Fault `not-found`. */
export const showGroup = async (asking: Asking, id: string): Promise<ShownGroup> => {
  const { tenant, ports, receivedAt } = asking;
  const row = await findGroup(ports, tenant, id);
  const { candidate } = row.group;
  const named = candidate === null ? [] : [candidate.eventId, ...candidate.alternatives.map(({ eventId }) => eventId)];
  const [settings, found, enriched, incident, first, entries, earliest] = await Promise.all([
    correlationSettings(ports.records, tenant),
    ports.events.getMany(tenant, named),
    candidate === null ? [] : ports.correlation.enriched(tenant, [candidate.eventId]),
    incidentAnalysis(ports, tenant, row.group.id),
    firstArrival(ports, tenant),
    entriesOf(ports, tenant, row.group),
    candidate === null ? [] : earliestOf(ports, tenant, row.group),
  ]);
  const events = new Map(found.map((event) => [event.id, event]));
  const root = (candidate && events.get(candidate.eventId)) ?? null;
  const second = events.get(secondBestOf(candidate) ?? '') ?? null;
  const ciIds = [root?.ci?.id, ...(candidate?.explains.map(({ ciId }) => ciId) ?? [])].flatMap((one) => one ?? []);
  const stored = ciIds.length === 0 ? [] : await ports.topology.getCis(tenant, [...new Set(ciIds)]);
  const cis = new Map(stored.map((ci) => [ci.id, ci]));
  const cause = stored.filter((ci) => ci.id === root?.ci?.id);
  const impact = await impactOf(asking, cause);
  const isCauseOn = root === null || isOn(root.status);
  const failing = [...cause.map((ci) => ci.id), ...impact.impacted.map(({ ci }) => ci)];
  const hit = await hitsOf(asking, row.state.cis, failing, isCauseOn);
  const summary = summaryOf({
    title: root?.title ?? null,
    ci: root?.ci?.name ?? null,
    size: row.group.size,
    explained: candidate?.explained ?? candidate?.explains.length ?? 0,
    services: hit.now.map(({ service, impact: outcome }) => ({
      name: service.name,
      isDown: outcome === 'full_outage',
    })),
    saved: isCauseOn ? impact.protected : [],
    isCauseOn,
    left: countOn(row.state.counts),
  });
  const quietBefore = receivedAt - quietTimeMs(settings);
  const facts = { ...judged(row, enriched[0]), aheadMs: aheadOf(root, earliest) };
  return { row, root, second, ...facts, events, cis, summary, hit, entries, incident, first, quietBefore };
};
