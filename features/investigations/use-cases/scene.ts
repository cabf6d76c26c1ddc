import { firstArrival } from '#application/events/first-arrival.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import { clipped } from '#domain/text.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { CHANGE_MS, namedEvent } from '#features/investigations/rules/findings.ts';
import type {
  CauseHypothesis,
  FaultReach,
  GroupScene,
  HypothesisCi,
  NearChange,
} from '#features/investigations/rules/investigation.ts';
import type { InvestigationAsking } from './checks.ts';
import type { BegunInvestigation } from './first-sentence.ts';

/** Maximum number of members to read, and of their CIs to search for changes. */
const MEMBERS = 1_000;
const MEMBER_CIS = 100;
/** Tolerance for changes that are reported after their effects. */
const SLACK_MS = 2 * 60_000;

const hitBy = (members: readonly Event[]): GroupScene['hit'] => {
  const hit = new Map<string, { readonly name: string; readonly at: number }>();
  for (const { ci, timestamp: at } of members)
    if (ci !== null && !hit.has(ci.id)) hit.set(ci.id, { name: ci.name, at });
  return hit;
};

/** Reads the facts that all checks share. */
export const readScene = async (
  { ports, tenant, receivedAt: now }: InvestigationAsking,
  { row }: BegunInvestigation,
  hypotheses: readonly CauseHypothesis[],
): Promise<GroupScene> => {
  const [members, dataSince, { abstainBelow }] = await Promise.all([
    membersOf(ports, tenant, row.group, MEMBERS),
    firstArrival(ports, tenant),
    aiSettings(ports.records, tenant),
  ]);
  const hit = hitBy(members);
  const own = hypotheses.flatMap(({ ci, reach }) => [...(ci === null ? [] : [ci]), ...reach.needs]);
  const hitCis = [...hit].slice(0, MEMBER_CIS).map(([id, { name }]) => ({ id, name }));
  const first = row.group.first;
  const range = { cis: [...own, ...hitCis], from: first - CHANGE_MS, to: first + SLACK_MS };
  const changes = await nearChanges(ports, tenant, range);
  return { row, members, hit, changes, dataSince, abstainBelow, now };
};

/** Maximum number of CIs, change events and versions to read. */
const MAX_CIS = 300;
const MAX_EVENTS = 200;
const MAX_VERSIONS = 100;

interface ChangeRange {
  readonly cis: readonly HypothesisCi[];
  /** ms */
  readonly from: number;
  readonly to: number;
}

const ofEvent = (event: Event): NearChange[] =>
  event.ci === null || !isChange(event) ? [] : [{ at: event.timestamp, ci: event.ci, text: namedEvent(event), event }];

/** Ignores new CIs and all relationships, which scans and imports add all the time. */
const ofVersion = (change: VersionChange): NearChange[] => {
  if (change.of !== 'ci' || change.before === null) return [];
  const { id, name } = change.after ?? change.before;
  const text = change.after === null ? `${clipped(name)} was deleted` : `of ${clipped(name)} in the CMDB`;
  return [{ at: change.at, ci: { id, name }, text, event: null }];
};

/** Changes of these CIs, as events and as versions of the CMDB, newest first. */
const nearChanges = async (
  { events, history }: Pick<Ports, 'events' | 'history'>,
  tenant: string,
  { cis, from, to }: ChangeRange,
): Promise<NearChange[]> => {
  const ids = [...new Set(cis.map(({ id }) => id))].slice(0, MAX_CIS);
  if (ids.length === 0) return [];
  const page = { sort: 'timestamp', order: 'desc', limit: MAX_EVENTS } as const;
  const [told, versions] = await Promise.all([
    events.part(tenant, { ciId: ids, from, to }, page),
    history.changesAmong(tenant, { ciIds: ids, from, to }, { limit: MAX_VERSIONS }),
  ]);
  const found = [...told.items.flatMap(ofEvent), ...versions.items.flatMap(ofVersion)];
  return found.filter(({ at }) => at >= from && at <= to).sort((a, b) => b.at - a.at);
};

/** Maximum number of dependents, of dependencies, and of hops to dependencies. */
const DEPENDENTS = 1_000;
const NEEDS = 100;
const HOPS = 3;

const NOTHING: FaultReach = { dependents: [], isCut: false, needs: [] };

/** Returns the CIs around a possible cause; none for a deleted CI. */
export const faultReach = async (
  { graph, topology }: Pick<Ports, 'graph' | 'topology'>,
  tenant: string,
  ci: HypothesisCi | null,
): Promise<FaultReach> => {
  if (ci === null || (await topology.getCis(tenant, [ci.id])).length === 0) return NOTHING;
  const [impact, above] = await Promise.all([
    graph.impact(tenant, [ci.id], { limit: DEPENDENTS }),
    graph.neighbourhood(tenant, ci.id, { hops: HOPS, direction: 'up', types: CAUSE_TYPES, limit: NEEDS }),
  ]);
  const named = ({ ci: id, name, hops }: { readonly ci: string; readonly name: string; readonly hops: number }) => ({
    id,
    name,
    hops,
  });
  return {
    dependents: impact.impacted.filter((one) => one.ci !== ci.id).map(named),
    isCut: impact.truncated,
    needs: above.nodes.filter(({ hops }) => hops > 0).map(named),
  };
};
