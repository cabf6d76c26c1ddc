import type { TimedContext } from '#application/access/context.ts';
import { membersOf } from '#application/events/group-membership.ts';
import type { ServiceHit } from '#application/services/services-hit.ts';
import { firstItem } from '#domain/assert.ts';
import type { GRAPH_ROLES } from '#domain/correlation/grouping/group-parts.ts';
import { isOn, type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { Impact, Relationship } from '#domain/topology/topology.ts';
import { hitsOf, NO_HIT, sourceOfGroup } from './services-of-causes.ts';

/** Members whose CIs are drawn, the earliest. */
const MEMBERS = 1_000;
const IMPACTED = 1_000;
/** Hops around the cause; beyond them only the CIs are drawn. */
const HOPS = 6;

interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly role: (typeof GRAPH_ROLES)[number];
  /** Severity of its active members; null: none. */
  readonly worst: Severity | null;
  /** Severity of its ended members; null: none. */
  readonly was: Severity | null;
  /** Members that are on. */
  readonly open: number;
  readonly acknowledged: number;
}
export interface GroupGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Relationship[];
  readonly services: readonly ServiceHit[];
  readonly truncated: boolean;
}

type NodeStatus = Pick<GraphNode, 'worst' | 'was' | 'open' | 'acknowledged'>;
type Drawn = Map<string, Omit<GraphNode, keyof NodeStatus>>;

type OnCi = Event & { readonly ci: NonNullable<Event['ci']> };

const worstOf = (events: readonly Event[]): Severity | null =>
  SEVERITIES.find((one) => events.some(({ severity }) => severity === one)) ?? null;

const standingOn = (events: readonly Event[]): NodeStatus => {
  const on = events.filter(({ status }) => isOn(status));
  const over = events.filter(({ status, supersededBy }) => !isOn(status) && supersededBy === undefined);
  const acknowledged = on.filter(({ status }) => status === 'acknowledged').length;
  return { worst: worstOf(on), was: worstOf(over), open: on.length, acknowledged };
};

/** Returns CIs on the paths from the cause to its victims. */
const between = ({ impacted }: Impact, victims: ReadonlySet<string>): Set<string> => {
  const via = new Map(impacted.map((one) => [one.ci, one.via]));
  const found = new Set<string>();
  for (const victim of victims)
    for (let at = via.get(victim) ?? null; at !== null && !found.has(at); at = via.get(at) ?? null)
      if (!victims.has(at)) found.add(at);
  return found;
};

const none: Impact = { impacted: [], protected: [], truncated: false };

async function impactOf({ tenant, ports }: TimedContext, cause: string | null, asOf: number): Promise<Impact> {
  if (cause === null) return none;
  const [known] = await ports.topology.getCis(tenant, [cause], asOf);
  return known === undefined ? none : ports.graph.impact(tenant, [cause], { limit: IMPACTED, asOf });
}

/** A late event was related by the topology at its arrival. */
const knownAt = ({ foundedAt, foundedBy }: Group, members: readonly Event[]): number =>
  Math.max(foundedAt, members.find(({ id }) => id === foundedBy)?.createdAt ?? foundedAt);

/** The CIs of a group and around it, as they were when it was founded; at most `limit`, members first. */
export const graphOf = async (asking: TimedContext, row: ListedGroup, limit: number): Promise<GroupGraph> => {
  const { tenant, ports } = asking;
  const { group } = row;
  const members = (await membersOf(ports, tenant, group, MEMBERS)).filter((event): event is OnCi => event.ci !== null);
  const byCi = Map.groupBy(members, ({ ci }) => ci.id);
  const leading = leadingEventOf(row);
  const root = members.find(({ id }) => id === leading);
  const source = sourceOfGroup(row, root);
  const cause = source.cause ?? null;
  const asOf = Math.min(knownAt(group, members), asking.receivedAt);
  const impact = await impactOf(asking, cause, asOf);
  const drawn: Drawn = new Map();
  for (const [id, events] of byCi) {
    const { name, type } = firstItem(events).ci;
    drawn.set(id, { id, name, type, role: id === cause ? 'cause' : 'victim' });
  }
  const inBetween = cause === null ? new Set<string>() : between(impact, new Set([cause, ...byCi.keys()]));
  const others = (wanted: boolean) =>
    impact.impacted.filter(({ ci }) => inBetween.has(ci) === wanted && !drawn.has(ci));
  for (const { ci: id, name, type } of others(true)) drawn.set(id, { id, name, type, role: 'between' });
  for (const { ci: id, name, type } of impact.protected)
    if (!drawn.has(id)) drawn.set(id, { id, name, type, role: 'protected' });
  for (const { ci: id, name, type } of others(false)) drawn.set(id, { id, name, type, role: 'impacted' });
  const nodes = [...drawn.values()].sort((a, b) => Number(b.id === cause) - Number(a.id === cause)).slice(0, limit);
  const [middle] = nodes;
  const around =
    middle === undefined || (await ports.topology.getCis(tenant, [middle.id], asOf)).length === 0
      ? { edges: [], truncated: false }
      : await ports.graph.neighbourhood(tenant, middle.id, { hops: HOPS, direction: 'both', limit: IMPACTED, asOf });
  const shown = new Set(nodes.map(({ id }) => id));
  const [{ now } = NO_HIT] = await hitsOf(asking, [source]);
  return {
    nodes: nodes.map((node) => ({ ...node, ...standingOn(byCi.get(node.id) ?? []) })),
    edges: around.edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
    services: now,
    truncated: drawn.size > limit || impact.truncated || around.truncated || group.size > MEMBERS,
  };
};
