import type { Arrival, Clue, Commonness, ResolvedSettings } from '#domain/correlation/records.ts';
import { saidBy } from '#domain/correlation/said.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import { type NearCi, NO_WHOLES, type WholeCi } from '#domain/topology/near.ts';

export type Weights = ResolvedSettings['rootCause'];

/** A cause may be noticed this much later than its effect, ms. */
const CAUSE_SLACK_MS = 300_000;
/** A fault is followed upstream this far. */
const CAUSE_HOPS = 6;
const PER_HOP = 0.7;

export const KINDS: readonly ProblemKind['kind'][] = ['down', 'errors', 'latency', 'traffic', 'unknown'];

const CAN_CAUSE: Readonly<Record<ProblemKind['kind'], readonly ProblemKind['kind'][]>> = {
  down: KINDS,
  errors: ['errors', 'latency'],
  latency: ['latency'],
  traffic: [],
  unknown: KINDS,
};

/** Numbers of the kinds that a kind can cause. */
const EFFECTS_OF: readonly (readonly number[])[] = KINDS.map((kind) =>
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
  /** Explains everything below it, at any severity: a known pattern, or a change even when that pattern is off. */
  readonly sweeping: boolean;
  readonly isChange: boolean;
  /** Title pattern with the type of the CI, and the system it was noticed on. */
  readonly template: string;
  readonly system: string;
  /** Commonness of its template when it arrived; 0 where it is unknown. */
  readonly commonness: Commonness;
  /** Its problem: the kind of a symptom that spreads, else the template; null when it does not describe a fault. */
  readonly says: string | null;
  readonly spreads: boolean;
  readonly habit: number;
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
    isChange: pattern === 'change',
    template: arrival.template ?? arrival.signature,
    system: arrival.system,
    commonness: arrival.commonness ?? 0,
    says: saidBy(arrival),
    spreads: arrival.spreads ?? false,
    habit: arrival.habit ?? 0,
  };
};

/** True if an event at that time can be its cause. */
export const isInTime = (time: number, effect: Pick<Cause, 'time'>): boolean => time <= effect.time + CAUSE_SLACK_MS;

/** True if b explains a, given that b's CI is upstream of a's. */
export const explains = (b: Cause, a: Pick<Cause, 'time' | 'rank' | 'kind'>): boolean =>
  isInTime(b.time, a) && (b.sweeping || (b.rank >= a.rank && EFFECTS_OF[b.kind]!.includes(a.kind)));

/** Weight by hops. */
export const NEARNESS = Array.from({ length: CAUSE_HOPS + 1 }, (_, hops) => PER_HOP ** (hops - 1));

/** `byHops[h]`: how many other member CIs, h hops below, the event explains. Summed in one order, so that equal groups score equally. */
export const nearnessSum = (byHops: readonly number[]): number => {
  let sum = 0;
  for (let hops = 1; hops <= CAUSE_HOPS; hops++) sum += byHops[hops]! * NEARNESS[hops]!;
  return sum;
};

/**
 * Candidates stored per CI and class: within one class the earlier event always scores at least as high, so a winner
 * and five runner-ups lose nothing.
 */
const PER_CLASS = 6;

const RANKS = 5;
/** A plain array: a typed one of this length has its memory outside of the heap, which costs more than all else of a node. */
const NEVER: readonly number[] = Array.from({ length: RANKS * KINDS.length }, () => Number.NEGATIVE_INFINITY);
const NONE: readonly number[] = Array.from({ length: CAUSE_HOPS + 1 }, () => 0);

/** The fields of a member that the index needs. */
export interface CauseFacts {
  readonly arrival: Arrival;
  readonly upstream: readonly NearCi[];
  readonly wholes?: readonly WholeCi[];
  readonly weights: Weights;
}

export interface CauseCandidate {
  readonly cause: Cause;
  readonly node: CiNode;
  /** Number of other member CIs that it explains, by hops; and their sum by nearness. */
  readonly byHops: number[];
  near: number;
  /** Place in the list of all suspects. */
  at: number;
}

/** A clue with its event. */
export type FoundClue = Omit<Clue, 'eventId'> & { readonly cause: Cause };

/** The clues of one CI, strongest first, and their sum. */
export interface CiEvidence {
  readonly sum: number;
  readonly clues: readonly FoundClue[];
}

/** Kind of a group: some event is known by its words to cause others; or none is; or there are symptoms alone. */
export type GroupSays = 'known' | 'unknown' | 'symptoms';

export interface GroupEvidence {
  readonly says: GroupSays;
  readonly byCi: ReadonlyMap<string, CiEvidence>;
  /** The highest sum. */
  readonly most: number;
  /** Wholes without an event, each with the event that speaks most for it; by id. */
  readonly silent: readonly CauseCandidate[];
}

/** The member that leads, where it has a CI, and how many of the other CIs it explains. */
export interface Leader {
  readonly ciId: string;
  readonly upstream: readonly NearCi[];
  readonly explained: number;
  readonly cis: number;
}

/** A member CI some hops away; `next` is another one, and `count` the length of the list from here. */
interface Reach {
  readonly node: CiNode;
  readonly hops: number;
  readonly next: Reach | undefined;
  readonly count: number;
}

/** A member CI, or the place of all events without one (`ciId` null). */
export interface CiNode {
  readonly ciId: string | null;
  upstream: readonly NearCi[];
  wholes: readonly WholeCi[];
  /**
   * Position of the earliest arrival on this CI, whose upstream list represents the CI; when `isAtMost`, that or an
   * earlier one.
   */
  position: number;
  isAtMost: boolean;
  /** Later arrivals on this CI have other upstream lists. */
  isMixed: boolean;
  /** Latest event time by [rank × kind], of this rank or lower; −Infinity when there is none. */
  readonly latest: number[];
  readonly suspects: Map<number | string, CauseCandidate[]>;
  /** The first event of each problem. */
  readonly said: Map<string, Cause>;
  /** Time of the first event that explains all problems below it, ms. */
  sweepsFrom: number;
  /** Member CIs upstream of this one. */
  above: Reach | undefined;
}

/**
 * Index of the members that explain others in one group. Adding a member costs O(its upstream list + the suspects on it), never
 * O(members). The content does not depend on the order of adding.
 */
export interface Causes {
  readonly nodes: Map<string | null, CiNode>;
  /** Member CIs below, by upstream CI, member or not. */
  readonly below: Map<string, Reach>;
  readonly suspects: CauseCandidate[];
  /**
   * Systems that report the problem, by the template of a known root-cause pattern. A cause is one of a kind, its
   * symptoms are many.
   */
  readonly alike: Map<string, Set<string>>;
  /** Number of member CIs that report it, by problem that does not spread. */
  readonly sayersOf: Map<string, number>;
  /** The same of symptoms, by template. */
  readonly sufferersOf: Map<string, number>;
  /** Usual events count only as long as there are no others. */
  holds: 'nothing' | 'usual' | 'unusual';
  /** The newest member does not fit in; the index must be built again. */
  stale: boolean;
  first: number;
  /** Evidence of the CIs as of the last query; null after a member is added. */
  evidence: GroupEvidence | null;
  /** The leader of the last query; null after a member is added. */
  leader: { readonly weights: Weights; readonly profile: Profile; readonly leader: Leader | null } | null;
}

export const openCauses = (): Causes => ({
  nodes: new Map(),
  below: new Map(),
  suspects: [],
  alike: new Map(),
  sayersOf: new Map(),
  sufferersOf: new Map(),
  holds: 'nothing',
  stale: false,
  first: Number.POSITIVE_INFINITY,
  evidence: null,
  leader: null,
});

export const isBefore = (a: Cause, b: Cause): boolean =>
  a.time < b.time || (a.time === b.time && a.eventId < b.eventId);

/**
 * The fields of an event that decide its score beside its time; known patterns by template, since the bonus depends on
 * it.
 */
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

/** Returns the systems of the group with the problem of this known pattern. */
export const alikeOf = ({ alike }: Causes, { template }: Cause): number => alike.get(template)?.size ?? 1;

/** True if b explains some event on the CI. */
export const explainsNode = (b: Cause, { latest }: CiNode): boolean => {
  const earliest = b.time - CAUSE_SLACK_MS;
  const row = (b.sweeping ? RANKS - 1 : b.rank) * KINDS.length;
  if (!b.sweeping) return EFFECTS_OF[b.kind]!.some((kind) => latest[row + kind]! >= earliest);
  for (let kind = 0; kind < KINDS.length; kind++) if (latest[row + kind]! >= earliest) return true;
  return false;
};

const sameWays = (a: readonly NearCi[], b: readonly NearCi[]): boolean =>
  a === b || (a.length === b.length && a.every((near, i) => near.ci === b[i]!.ci && near.hops === b[i]!.hops));

const sameWholes = (a: readonly WholeCi[], b: readonly WholeCi[]): boolean =>
  a === b || (a.length === b.length && a.every(({ ci, parts }, i) => ci === b[i]!.ci && parts === b[i]!.parts));

type Surrounding = Pick<CauseFacts, 'upstream' | 'wholes'>;
const samePlace = (a: Surrounding, b: Surrounding): boolean =>
  sameWays(a.upstream, b.upstream) && sameWholes(a.wholes ?? NO_WHOLES, b.wholes ?? NO_WHOLES);

export const reaches = ({ hops }: NearCi): boolean => hops >= 1 && hops <= CAUSE_HOPS;

export const belowOf = (causes: Causes, { ciId }: Pick<CiNode, 'ciId'>): Reach | undefined =>
  ciId === null ? undefined : causes.below.get(ciId);

const withReach = (next: Reach | undefined, node: CiNode, hops: number): Reach => ({
  node,
  hops,
  next,
  count: 1 + (next?.count ?? 0),
});

type Placed = Pick<CiNode, 'ciId' | 'upstream' | 'wholes' | 'position'>;
const emptyNode = (placed: Placed): CiNode => ({
  ...placed,
  isAtMost: false,
  isMixed: false,
  latest: NEVER.slice(),
  suspects: new Map(),
  said: new Map(),
  sweepsFrom: Number.POSITIVE_INFINITY,
  above: undefined,
});

/** The place of a CI without an event. */
export const silentNode = (ciId: string): CiNode =>
  emptyNode({ ciId, upstream: [], wholes: NO_WHOLES, position: Number.POSITIVE_INFINITY });

const openNode = (causes: Causes, { arrival, upstream, wholes = NO_WHOLES }: CauseFacts): CiNode => {
  const { ciId, position } = arrival;
  const node = emptyNode({ ciId, upstream, wholes, position });
  causes.nodes.set(ciId, node);
  if (ciId === null) return node;
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    lower.node.above = withReach(lower.node.above, node, lower.hops);
  for (const near of upstream) {
    if (!reaches(near) || near.ci === ciId) continue;
    causes.below.set(near.ci, withReach(causes.below.get(near.ci), node, near.hops));
    const upper = causes.nodes.get(near.ci);
    if (upper) node.above = withReach(node.above, upper, near.hops);
  }
  return node;
};

const count = (suspect: CauseCandidate, hops: number): void => {
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

const dropCandidate = ({ suspects }: Causes, { at }: CauseCandidate): void => {
  const moved = suspects.pop()!;
  if (at === suspects.length) return;
  suspects[at] = moved;
  moved.at = at;
};

/** A suspect with the CIs below the node that its event explains. */
export const suspectOn = (causes: Causes, node: CiNode, cause: Cause, at: number): CauseCandidate => {
  const byHops = NONE.slice();
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    if (explainsNode(cause, lower.node)) byHops[lower.hops]! += 1;
  return { cause, node, byHops, near: nearnessSum(byHops), at };
};

const countSaid = ({ sayersOf, sufferersOf }: Causes, { says, spreads, template }: Cause, change: 1 | -1): void => {
  if (says === null) return;
  const [counts, key] = spreads ? [sufferersOf, template] : [sayersOf, says];
  const left = (counts.get(key) ?? 0) + change;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
};

const noteSaid = (causes: Causes, node: CiNode, cause: Cause): void => {
  if (cause.sweeping) node.sweepsFrom = Math.min(node.sweepsFrom, cause.time);
  if (cause.says === null) return;
  const first = node.said.get(cause.says);
  if (first !== undefined && !isBefore(cause, first)) return;
  node.said.set(cause.says, cause);
  if (node.ciId === null) return;
  if (first !== undefined) countSaid(causes, first, -1);
  countSaid(causes, cause, 1);
};

/** The event as a cause. */
const addCandidate = (causes: Causes, node: CiNode, cause: Cause): void => {
  const id = classOf(cause);
  const peers = node.suspects.get(id) ?? [];
  if (peers.length === 0) node.suspects.set(id, peers);
  const place = peers.findLastIndex((other) => isBefore(other.cause, cause)) + 1;
  if (place >= PER_CLASS) return;
  const suspect = suspectOn(causes, node, cause, causes.suspects.length);
  causes.suspects.push(suspect);
  peers.splice(place, 0, suspect);
  if (peers.length > PER_CLASS) dropCandidate(causes, peers.pop()!);
};

const nodeFor = (causes: Causes, facts: CauseFacts): CiNode | null => {
  const node = causes.nodes.get(facts.arrival.ciId);
  if (!node) return openNode(causes, facts);
  const { position } = facts.arrival;
  if (samePlace(node, facts)) node.position = Math.min(node.position, position);
  else if (position < node.position || node.isAtMost) return null;
  else node.isMixed = true;
  return node;
};

/** True if both are equivalent as a cause and as an effect. */
const isSame = (a: Cause, b: Cause): boolean =>
  a.time === b.time &&
  a.severity === b.severity &&
  a.kind === b.kind &&
  a.known === b.known &&
  a.sweeping === b.sweeping &&
  a.isChange === b.isChange &&
  a.commonness === b.commonness &&
  a.says === b.says &&
  a.spreads === b.spreads &&
  a.habit === b.habit &&
  (!(a.known || a.spreads) || a.template === b.template) &&
  (!a.known || a.system === b.system);

/**
 * Replaces the facts of a member; dependent data is rebuilt when it is requested. Most second arrivals change nothing:
 * then this costs O(upstream list), never O(members).
 */
export const replaceMember = (causes: Causes, before: CauseFacts, after: CauseFacts): void => {
  const { ciId, usual } = after.arrival;
  const isKept =
    before.arrival.ciId === ciId &&
    before.arrival.usual === usual &&
    samePlace(before, after) &&
    isSame(causeOf(before.arrival, before.weights), causeOf(after.arrival, after.weights));
  const node = causes.nodes.get(ciId);
  const isFirst = node !== undefined && before.arrival.position === node.position;
  if (!isKept || (isFirst && node.isMixed)) causes.stale = true;
  // The next one on the CI is the earliest now; all have the same lists.
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
  causes.evidence = null;
  const cause = causeOf(facts.arrival, facts.weights);
  causes.first = Math.min(causes.first, cause.time);
  noteAlike(causes, cause);
  if (node.ciId !== null) addEffect(node, cause);
  noteSaid(causes, node, cause);
  addCandidate(causes, node, cause);
};

/** Builds from scratch: O(members × upstream list). */
export const causesOf = (members: Iterable<CauseFacts>): Causes => {
  const all = [...members].sort((a, b) => a.arrival.position - b.arrival.position);
  const unusual = all.filter(({ arrival }) => !arrival.usual);
  const causes = openCauses();
  for (const facts of unusual.length > 0 ? unusual : all) addMember(causes, facts);
  return causes;
};
