import type { Arrival } from '#domain/correlation/records.ts';
import { leaderOf } from '#domain/correlation/root-cause/candidate.ts';
import {
  alikeOf,
  belowOf,
  type Cause,
  type Causes,
  type CiNode,
  causeOf,
  explainsNode,
  isBefore,
  isInTime,
  type Leader,
  reaches,
} from '#domain/correlation/root-cause/causes.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { indexCauses, type Member, type OpenGroup } from './groups.ts';

/**
 * A cause is a group's own when it explains this share of its other CIs, and one at least; measured on simulated
 * infrastructures.
 */
const EXPLAINED = 0.3;

const ownCauseOf = (group: OpenGroup): Leader | null => {
  indexCauses(group);
  const leader = leaderOf(group.causes, group);
  return leader !== null && leader.explained >= Math.max(1, EXPLAINED * (leader.cis - 1)) ? leader : null;
};

const isAbove = (upstream: readonly NearCi[], ciId: string | null): boolean => upstream.some(({ ci }) => ci === ciId);

/**
 * True if two groups are two faults, which an arrival on a CI affected by both does not join: each has its own cause,
 * neither is above the other, and the arrival is not above both.
 */
export const areTwoFaults = (a: OpenGroup, b: OpenGroup, { ciId }: Arrival): boolean => {
  const one = ownCauseOf(a);
  const other = one && ownCauseOf(b);
  if (!one || !other || one.ciId === other.ciId) return false;
  if (isAbove(one.upstream, other.ciId) || isAbove(other.upstream, one.ciId)) return false;
  return !isAbove(one.upstream, ciId) || !isAbove(other.upstream, ciId);
};

/** Each of two root causes explains this number of CIs that are not below the other. */
const OWN_CIS = 5;
/** The same problem on several CIs is another fault after this time, ms. */
const ANOTHER_MS = 60_000;

/** A CI with a known cause that is not common, and without a known cause upstream of it. */
interface Source {
  readonly ciId: string;
  readonly cause: Cause;
  readonly upstream: readonly NearCi[];
}

const sweeps = ({ sweepsFrom }: CiNode): boolean => sweepsFrom < Number.POSITIVE_INFINITY;

const sourceAt = (ciId: string, upstream: readonly NearCi[], said: Iterable<Cause>): Source | null => {
  let first: Cause | null = null;
  for (const cause of said)
    if (cause.sweeping && cause.commonness < 2 && (first === null || isBefore(cause, first))) first = cause;
  return first && { ciId, cause: first, upstream };
};

const sourceOn = ({ ciId, upstream, said, above }: CiNode): Source | null => {
  if (ciId === null) return null;
  for (let upper = above; upper; upper = upper.next) if (sweeps(upper.node)) return null;
  return sourceAt(ciId, upstream, said.values());
};

/** Returns the source of the arrival: its own CI, or the only one upstream. */
const sourceOf = ({ nodes }: Causes, { arrival, upstream, weights }: Member): Source | null => {
  const { ciId } = arrival;
  if (ciId === null || arrival.usual) return null;
  const above = upstream.flatMap((near) => (reaches(near) ? (nodes.get(near.ci) ?? []) : [])).filter(sweeps);
  const known = nodes.get(ciId);
  if (above.length === 0)
    return known && sweeps(known) ? sourceOn(known) : sourceAt(ciId, upstream, [causeOf(arrival, weights)]);
  const [source, another] = above.flatMap((node) => sourceOn(node) ?? []);
  return source === undefined || another !== undefined ? null : source;
};

const cisBelow = (causes: Causes, source: Source): Set<CiNode> => {
  const found = new Set<CiNode>();
  for (let lower = belowOf(causes, source); lower; lower = lower.next) found.add(lower.node);
  return found;
};

/** CIs that directly depend on the same CI may have failed because of that. */
const shareUpstream = (one: Source, other: Source): boolean =>
  one.upstream.some((near) => near.hops === 1 && other.upstream.some(({ ci, hops }) => hops === 1 && ci === near.ci));

const areIndependent = (causes: Causes, one: Source, other: Source): boolean =>
  alikeOf(causes, other.cause) === 1 &&
  (alikeOf(causes, one.cause) === 1 || Math.abs(one.cause.time - other.cause.time) >= ANOTHER_MS) &&
  !shareUpstream(one, other);

/**
 * Returns the members with which the arrival forms another group, since they have a root cause of their own: of two
 * independent known causes, each explains CIs that are not below the other. O(member CIs + CIs below each cause).
 */
export const ofAnotherCause = (group: OpenGroup, newest: Member): string[] => {
  indexCauses(group);
  const { causes, members } = group;
  const source = sourceOf(causes, newest);
  if (source === null) return [];
  if ((belowOf(causes, source)?.count ?? 0) < OWN_CIS) return [];
  const others = [...causes.nodes.values()].flatMap((node) => (sweeps(node) && sourceOn(node)) || []);
  const independent = others.filter((other) => other.ciId !== source.ciId && areIndependent(causes, source, other));
  if (independent.length === 0) return [];
  const below = cisBelow(causes, source);
  let best = { ciId: '', rest: 0, ours: [] as readonly CiNode[] };
  for (const other of independent) {
    const theirs = cisBelow(causes, other);
    const isOurs = (node: CiNode): boolean => node.ciId !== other.ciId && !theirs.has(node);
    const ours = [...below].filter((node) => isOurs(node) && explainsNode(source.cause, node));
    const rest = [...theirs].filter((node) => !below.has(node) && explainsNode(other.cause, node)).length;
    const isBetter = rest > best.rest || (rest === best.rest && other.ciId < best.ciId);
    if (ours.length >= OWN_CIS && rest >= ours.length && isBetter) best = { ciId: other.ciId, rest, ours };
  }
  if (best.rest === 0) return [];
  const cis = new Set<string | null>([source.ciId, ...best.ours.map(({ ciId }) => ciId)]);
  const leaves = ({ arrival }: Member): boolean => cis.has(arrival.ciId) && isInTime(source.cause.time, arrival);
  return [...members.values()]
    .filter(leaves)
    .map(({ eventId }) => eventId)
    .sort();
};
