import type { TimedContext } from '#application/access/context.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { type IncidentAnalysis, incidentAnalysis } from '#application/events/incident-records.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { countOn, isOn, type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import { summaryOf } from '#domain/correlation/grouping/group-summary.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Candidate, Enriched, Group } from '#domain/correlation/records.ts';
import { partsOf, rarityOf, type ScoreParts } from '#domain/correlation/root-cause/candidate.ts';
import { causeOf } from '#domain/correlation/root-cause/causes.ts';
import { secondBestOf } from '#domain/correlation/root-cause/certain.ts';
import type { Event } from '#domain/event/event.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Ci, Impact } from '#domain/topology/topology.ts';
import { wholeIn } from './cause-wholes.ts';
import { entriesOf } from './entries.ts';
import { findGroup } from './find-group.ts';
import { type GroupHit, hitsOf, NO_HIT, sourceOfGroup } from './services-of-causes.ts';

/** Reason why an event is considered the cause. */
interface CauseData {
  readonly parts: ScoreParts | null;
  /** The known cause that its title names, where the tenant counts it. */
  readonly pattern: KnownPattern | null;
  /** Lead over all other members, ms; null without one. */
  readonly aheadMs: number | null;
}

/** The parts of the score. */
const judged = (
  { group, state }: ListedGroup,
  enriched: Enriched | undefined,
): Pick<CauseData, 'parts' | 'pattern'> => {
  if (group.candidate === null || enriched === undefined) return { parts: null, pattern: null };
  const { arrival, settings } = enriched;
  const { rootCause: weights, profile } = settings;
  const cause = causeOf(arrival, weights);
  const standing = { cis: state.names.ci.count, first: group.first, rarity: rarityOf(cause, profile) };
  const parts = partsOf(group.candidate, cause, standing, weights);
  return { parts, pattern: cause.known ? arrival.complaint.known : null };
};

/** Number of earliest members that are checked; some may be superseded. */
const EARLIEST = 10;

const earliestOf = async (
  { events }: Pick<Ports, 'events'>,
  tenant: string,
  { id, aliases }: Group,
): Promise<readonly Event[]> => {
  const page = { sort: 'timestamp', order: 'asc', limit: EARLIEST } as const;
  return (await events.part(tenant, { correlationIds: [id, ...aliases] }, page)).items;
};

const aheadOf = (cause: Event | null, earliest: readonly Event[]): number | null => {
  const next = earliest.find(({ id, supersededBy }) => id !== cause?.id && supersededBy === undefined);
  if (cause === null || next === undefined || next.timestamp < cause.timestamp) return null;
  return next.timestamp - cause.timestamp;
};

/** CIs that fail with the cause. */
const IMPACTED = 1_000;
const NO_IMPACT: Impact = { impacted: [], protected: [], truncated: false };

/** A group with all of its shown data. */
export interface ShownGroup extends CauseData {
  readonly row: ListedGroup;
  /** The root-cause candidate, and the event that founded the group when there is none. */
  readonly root: Event | null;
  /** The best alternative of a cause that is not certain. */
  readonly second: Event | null;
  /** The CI of a root cause that is named because of its parts. */
  readonly whole: Ci | null;
  /** Events of the alternatives, and CIs that are named, by id. */
  readonly events: ReadonlyMap<string, Event>;
  readonly cis: ReadonlyMap<string, Ci>;
  readonly summary: string;
  readonly hit: GroupHit;
  readonly entries: readonly GroupEntry[];
  readonly incident: IncidentAnalysis | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an arrival since then accepts no more members. */
  readonly quietBefore: number;
}

/** CIs that are gone since fail with nothing. */
const impactOf = ({ tenant, ports }: TimedContext, known: readonly Ci[]): Promise<Impact> =>
  known.length === 0
    ? Promise.resolve(NO_IMPACT)
    : ports.graph.impact(
        tenant,
        known.map(({ id }) => id),
        { limit: IMPACTED },
      );

/** Events that the group is shown with. */
const namedIn = (candidate: Candidate | null): string[] => {
  if (candidate === null) return [];
  const { eventId, alternatives, evidence } = candidate;
  return [...new Set([eventId, ...[...alternatives, ...(evidence?.clues ?? [])].map((one) => one.eventId)])];
};

/** CIs that the group is shown with. */
const cisIn = (candidate: Candidate | null, causeCi: string | undefined): string[] => {
  const { explains = [], alternatives = [] } = candidate ?? {};
  return [...new Set([causeCi, ...[...explains, ...alternatives].map(({ ciId }) => ciId)].flatMap((one) => one ?? []))];
};

/** Throws Fault `not-found`. */
export const showGroup = async (asking: TimedContext, id: string): Promise<ShownGroup> => {
  const { tenant, ports, receivedAt } = asking;
  const row = await findGroup(ports, tenant, id);
  const { candidate } = row.group;
  const named = [...new Set([...namedIn(candidate), ...[leadingEventOf(row)].flatMap((one) => one ?? [])])];
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
  const leading = leadingEventOf(row);
  const root = events.get(leading ?? '') ?? null;
  const second = events.get(secondBestOf(candidate) ?? '') ?? null;
  const isCandidate = leading === candidate?.eventId;
  const causeCi = (isCandidate ? wholeIn(candidate) : null) ?? root?.ci?.id;
  const ciIds = cisIn(candidate, causeCi);
  const stored = ciIds.length === 0 ? [] : await ports.topology.getCis(tenant, ciIds);
  const cis = new Map(stored.map((ci) => [ci.id, ci]));
  const whole = (isCandidate ? cis.get(wholeIn(candidate) ?? '') : undefined) ?? null;
  const cause = stored.filter((ci) => ci.id === causeCi);
  const impact = await impactOf(asking, cause);
  const isCauseOn = root === null || isOn(root.status);
  const [hit = NO_HIT] = await hitsOf(asking, [sourceOfGroup(row, root ?? undefined)]);
  const summary = summaryOf({
    title: root?.title ?? null,
    ci: whole?.name ?? root?.ci?.name ?? null,
    size: row.group.size,
    explained: isCandidate ? (candidate?.explained ?? candidate?.explains.length ?? 0) : 0,
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
  return { row, root, second, whole, ...facts, events, cis, summary, hit, entries, incident, first, quietBefore };
};
