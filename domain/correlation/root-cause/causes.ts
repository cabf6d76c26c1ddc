import type { Arrival, Commonness, ResolvedSettings } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';
import type { NearCi } from '#domain/topology/near.ts';

export type Weights = ResolvedSettings['rootCause'];

/** A cause may be noticed this much later than its effect, ms. */
const CAUSE_SLACK_MS = 300_000;
/** A fault is followed upstream this far. */
const CAUSE_HOPS = 6;
const PER_HOP = 0.7;

export const KINDS: readonly Complaint['kind'][] = ['down', 'errors', 'latency', 'traffic', 'unknown'];

const CAN_CAUSE: Readonly<Record<Complaint['kind'], readonly Complaint['kind'][]>> = {
  down: KINDS,
  errors: ['errors', 'latency'],
  latency: ['latency'],
  traffic: [],
  unknown: KINDS,
};

/** Numbers of the kinds that a kind can cause. */
export const EFFECTS_OF: readonly (readonly number[])[] = KINDS.map((kind) =>
  CAN_CAUSE[kind].map((effect) => KINDS.indexOf(effect)),
);

/** The fields of an event that matter for the cause, without its CI. */
export interface Cause {
  readonly eventId: string;
  readonly ciId: string | null;
  readonly time: number;
  readonly severity: Severity;
  readonly rank: number;
  readonly kind: number;
  /** A root-cause pattern that the tenant has switched on. */
  readonly known: boolean;
  /** Explains whatever is below it, however severe: a known pattern, or a change even when that pattern is off. */
  readonly sweeping: boolean;
  /** Title pattern with the type of the CI, and the system it was noticed on. */
  readonly template: string;
  readonly system: string;
  /** Of its template when it came; 0 where it is not known. */
  readonly commonness: Commonness;
}

export const causeOf = (arrival: Arrival, weights: Weights): Cause => {
  const pattern = arrival.complaint.known;
  const known = pattern !== null && weights.knownPatterns.includes(pattern);
  return {
    eventId: arrival.eventId,
    ciId: arrival.ciId,
    time: arrival.time,
    severity: arrival.severity,
    rank: severityRank(arrival.severity),
    kind: KINDS.indexOf(arrival.complaint.kind),
    known,
    sweeping: known || pattern === 'change',
    template: arrival.template ?? arrival.signature,
    system: arrival.system,
    commonness: arrival.commonness ?? 0,
  };
};

/** Whether b explains a, given that b's CI is upstream of a's. */
export const explains = (b: Cause, a: Pick<Cause, 'time' | 'rank' | 'kind'>): boolean =>
  b.time <= a.time + CAUSE_SLACK_MS && (b.sweeping || (b.rank >= a.rank && EFFECTS_OF[b.kind]!.includes(a.kind)));

/** By hops. */
export const NEARNESS = Array.from({ length: CAUSE_HOPS + 1 }, (_, hops) => PER_HOP ** (hops - 1));

/** `byHops[h]`: how many other member CIs, h hops below, the event explains. Summed in one order, so that equal groups score equally. */
export const nearnessSum = (byHops: readonly number[]): number => {
  let sum = 0;
  for (let hops = 1; hops <= CAUSE_HOPS; hops++) sum += byHops[hops]! * NEARNESS[hops]!;
  return sum;
};

/** Candidates kept per CI and class: within one class the earlier event always scores at least as high, so a winner and five runner-ups lose nothing. */
const PER_CLASS = 6;

const RANKS = 5;
/** A plain array: a typed one of this length has its memory outside of the heap, which costs more than all else of a node. */
const NEVER: readonly number[] = Array.from({ length: RANKS * KINDS.length }, () => Number.NEGATIVE_INFINITY);
const NONE: readonly number[] = Array.from({ length: CAUSE_HOPS + 1 }, () => 0);

/** The fields of a member that the index needs. */
export interface CauseFacts {
  readonly arrival: Arrival;
  readonly upstream: readonly NearCi[];
  readonly weights: Weights;
}

export interface Suspect {
  readonly cause: Cause;
  readonly node: CiNode;
  /** How many other member CIs it explains, by hops; and their sum by nearness. */
  readonly byHops: number[];
  near: number;
  /** Place in the list of all suspects. */
  at: number;
}

/** The member that leads, where it has a CI, and how many of the other CIs it explains. */
export interface Leader {
  readonly ciId: string;
  readonly upstream: readonly NearCi[];
  readonly explained: number;
  readonly cis: number;
}

/** A member CI some hops away; `next` is another one. */
interface Reach {
  readonly node: CiNode;
  readonly hops: number;
  readonly next: Reach | undefined;
}

/** A member CI, or the place of all events without one (`ciId` null). */
export interface CiNode {
  readonly ciId: string | null;
  upstream: readonly NearCi[];
  /** Position of the earliest arrival on this CI, whose upstream list stands for the CI; when `isAtMost`, that or an earlier one. */
  position: number;
  isAtMost: boolean;
  /** Later arrivals on this CI have other upstream lists. */
  isMixed: boolean;
  /** Latest event time by [rank × kind], of this rank or lower; −Infinity when there is none. */
  readonly latest: number[];
  readonly suspects: Map<number | string, Suspect[]>;
  /** Member CIs upstream of this one. */
  above: Reach | undefined;
}

/**
 * Index of the members that explain others in one group. Adding a member costs O(its upstream list + the suspects on it), never
 * O(members). The content does not depend on the order of adding.
 */
export interface Causes {
  readonly nodes: Map<string | null, CiNode>;
  /** By upstream CI, member or not: the member CIs below it. */
  readonly below: Map<string, Reach>;
  readonly suspects: Suspect[];
  /** By the template of a known root-cause pattern: the systems that complain so. A cause is one of a kind, its symptoms are many. */
  readonly alike: Map<string, Set<string>>;
  /** Usual events count only as long as there are no others. */
  holds: 'nothing' | 'usual' | 'unusual';
  /** The newest member does not fit in; build the index anew. */
  stale: boolean;
  first: number;
  /** The leader of the last query; null after a member is added. */
  leader: { readonly weights: Weights; readonly profile: Profile; readonly leader: Leader | null } | null;
}

export const openCauses = (): Causes => ({
  nodes: new Map(),
  below: new Map(),
  suspects: [],
  alike: new Map(),
  holds: 'nothing',
  stale: false,
  first: Number.POSITIVE_INFINITY,
  leader: null,
});

const before = (a: Cause, b: Cause): boolean => a.time < b.time || (a.time === b.time && a.eventId < b.eventId);

/** The fields of an event that decide its score beside its time; known patterns apart by template, since the bonus depends on it. */
const classOf = ({ rank, kind, known, sweeping, template, commonness }: Cause): number | string => {
  const plain = ((rank * KINDS.length + kind) * 2 + (sweeping ? 1 : 0)) * 3 + commonness;
  return known ? `${plain} ${template}` : plain;
};

const noteAlike = ({ alike }: Causes, { known, template, system }: Cause): void => {
  if (!known) return;
  const systems = alike.get(template);
  if (systems === undefined) alike.set(template, new Set([system]));
  else systems.add(system);
};

/** Systems of the group that complain in the words of this known pattern. */
export const alikeOf = ({ alike }: Causes, { template }: Cause): number => alike.get(template)?.size ?? 1;

/** Whether b explains some event on the CI. */
export const explainsNode = (b: Cause, { latest }: CiNode): boolean => {
  const earliest = b.time - CAUSE_SLACK_MS;
  const row = (b.sweeping ? RANKS - 1 : b.rank) * KINDS.length;
  if (!b.sweeping) return EFFECTS_OF[b.kind]!.some((kind) => latest[row + kind]! >= earliest);
  for (let kind = 0; kind < KINDS.length; kind++) if (latest[row + kind]! >= earliest) return true;
  return false;
};

const sameWays = (a: readonly NearCi[], b: readonly NearCi[]): boolean =>
  a === b || (a.length === b.length && a.every((near, i) => near.ci === b[i]!.ci && near.hops === b[i]!.hops));

const reaches = ({ hops }: NearCi): boolean => hops >= 1 && hops <= CAUSE_HOPS;

export const belowOf = (causes: Causes, { ciId }: CiNode): Reach | undefined =>
  ciId === null ? undefined : causes.below.get(ciId);

const openNode = (causes: Causes, { arrival, upstream }: CauseFacts): CiNode => {
  const ciId = arrival.ciId;
  const latest = NEVER.slice();
  const node: CiNode = {
    ciId,
    upstream,
    position: arrival.position,
    isAtMost: false,
    isMixed: false,
    latest,
    suspects: new Map(),
    above: undefined,
  };
  causes.nodes.set(ciId, node);
  if (ciId === null) return node;
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    lower.node.above = { node, hops: lower.hops, next: lower.node.above };
  for (const near of upstream) {
    if (!reaches(near) || near.ci === ciId) continue;
    causes.below.set(near.ci, { node, hops: near.hops, next: causes.below.get(near.ci) });
    const upper = causes.nodes.get(near.ci);
    if (upper) node.above = { node: upper, hops: near.hops, next: node.above };
  }
  return node;
};

const count = (suspect: Suspect, hops: number): void => {
  suspect.byHops[hops]! += 1;
  suspect.near = nearnessSum(suspect.byHops);
};

/** The event as an effect: counts the CI for every suspect above that explains this event and none before it. */
const addEffect = (node: CiNode, effect: Cause): void => {
  for (let upper = node.above; upper; upper = upper.next)
    for (const suspects of upper.node.suspects.values())
      for (const suspect of suspects)
        if (explains(suspect.cause, effect) && !explainsNode(suspect.cause, node)) count(suspect, upper.hops);
  for (let rank = effect.rank; rank < RANKS; rank++) {
    const slot = rank * KINDS.length + effect.kind;
    if (node.latest[slot]! < effect.time) node.latest[slot] = effect.time;
  }
};

const dropSuspect = ({ suspects }: Causes, { at }: Suspect): void => {
  const moved = suspects.pop()!;
  if (at === suspects.length) return;
  suspects[at] = moved;
  moved.at = at;
};

/** The event as a cause. */
const addSuspect = (causes: Causes, node: CiNode, cause: Cause): void => {
  const id = classOf(cause);
  const peers = node.suspects.get(id) ?? [];
  if (peers.length === 0) node.suspects.set(id, peers);
  const place = peers.findLastIndex((other) => before(other.cause, cause)) + 1;
  if (place >= PER_CLASS) return;
  const suspect: Suspect = { cause, node, byHops: NONE.slice(), near: 0, at: causes.suspects.length };
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    if (explainsNode(cause, lower.node)) suspect.byHops[lower.hops]! += 1;
  suspect.near = nearnessSum(suspect.byHops);
  causes.suspects.push(suspect);
  peers.splice(place, 0, suspect);
  if (peers.length > PER_CLASS) dropSuspect(causes, peers.pop()!);
};

const nodeFor = (causes: Causes, facts: CauseFacts): CiNode | null => {
  const node = causes.nodes.get(facts.arrival.ciId);
  if (!node) return openNode(causes, facts);
  const { position } = facts.arrival;
  if (sameWays(node.upstream, facts.upstream)) node.position = Math.min(node.position, position);
  else if (position < node.position || node.isAtMost) return null;
  else node.isMixed = true;
  return node;
};

/** Whether as a cause and as an effect one is what the other is. */
const isSame = (a: Cause, b: Cause): boolean =>
  a.time === b.time &&
  a.severity === b.severity &&
  a.kind === b.kind &&
  a.known === b.known &&
  a.sweeping === b.sweeping &&
  a.commonness === b.commonness &&
  (!a.known || (a.template === b.template && a.system === b.system));

/**
 * Newer facts of a member; what they change is built anew when it is asked for. Of most second arrivals nothing changes: then this costs
 * O(upstream list), never O(members).
 */
export const replaceMember = (causes: Causes, before: CauseFacts, after: CauseFacts): void => {
  const { ciId, usual } = after.arrival;
  const isKept =
    before.arrival.ciId === ciId &&
    before.arrival.usual === usual &&
    sameWays(before.upstream, after.upstream) &&
    isSame(causeOf(before.arrival, before.weights), causeOf(after.arrival, after.weights));
  const node = causes.nodes.get(ciId);
  const isFirst = node !== undefined && before.arrival.position === node.position;
  if (!isKept || (isFirst && node.isMixed)) causes.stale = true;
  // The next one on the CI is the earliest now; all have the same upstream list.
  else if (isFirst) node.isAtMost = true;
};

export const addMember = (causes: Causes, facts: CauseFacts): void => {
  const { usual } = facts.arrival;
  if (causes.stale || (usual && causes.holds === 'unusual')) return;
  const node = !usual && causes.holds === 'usual' ? null : nodeFor(causes, facts);
  if (node === null) {
    causes.stale = true;
    return;
  }
  causes.holds = usual ? 'usual' : 'unusual';
  causes.leader = null;
  const cause = causeOf(facts.arrival, facts.weights);
  causes.first = Math.min(causes.first, cause.time);
  noteAlike(causes, cause);
  if (node.ciId !== null) addEffect(node, cause);
  addSuspect(causes, node, cause);
};

/** From scratch: O(members × upstream list). */
export const causesOf = (members: Iterable<CauseFacts>): Causes => {
  const all = [...members].sort((a, b) => a.arrival.position - b.arrival.position);
  const unusual = all.filter(({ arrival }) => !arrival.usual);
  const causes = openCauses();
  for (const facts of unusual.length > 0 ? unusual : all) addMember(causes, facts);
  return causes;
};
