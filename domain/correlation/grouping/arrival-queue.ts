import type { CorrelationInput, Decision } from '#domain/correlation/records.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import type { Facts, Member } from './groups.ts';
import type { StrategyFindings } from './links.ts';

type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;

/** The facts of a new event. An event linked on demand or manually, or arriving again, has a decision already. */
export const isNewArrival = (value: CorrelationInput): value is FactsRecord =>
  value.kind === 'facts' &&
  value.links === undefined &&
  (!value.arrival.rebound || value.arrival.again === 'supersedes');

/** An arrival that is not decided yet: its facts or some hits have arrived. */
export interface QueuedArrival<Stored> {
  readonly tenant: string;
  readonly position: number;
  facts: FactsRecord | null;
  /** Its decision drops the memory of its tenant; never together with facts. */
  forgets: boolean;
  readonly findings: Map<string, HitsRecord>;
  /** The arrival and its partners, held in memory until the decision. */
  readonly pinned: Member[];
  /** Closed groups that a user extends, as they were read. */
  readonly stored: Stored[];
}

/** Arrivals in the order of their positions. */
export interface ArrivalQueue<Stored> {
  /** Live from `head` on. */
  queue: QueuedArrival<Stored>[];
  head: number;
  readonly byPosition: Map<number, QueuedArrival<Stored>>;
  passed: Map<string, number>;
  /** All arrivals up to this position are decided. */
  decided: number;
  /** Set while the intake is paused: the newest queued position, and how far each strategy was then. */
  left: { readonly newest: number; readonly passed: ReadonlyMap<string, number> } | null;
}

/** Most queued arrivals; about 15 KB each with their hits. */
export const MAX_QUEUED = 20_000;

export const openArrivalQueue = <Stored>(): ArrivalQueue<Stored> => ({
  queue: [],
  head: 0,
  byPosition: new Map(),
  passed: new Map(),
  decided: -1,
  left: null,
});

export const queuedCount = ({ queue, head }: ArrivalQueue<unknown>): number => queue.length - head;
export const firstQueued = <Stored>({ queue, head }: ArrivalQueue<Stored>): QueuedArrival<Stored> | undefined =>
  queue[head];

/** Removes the first arrival. The array is compacted rarely, since moving all others costs more the longer the queue is. */
const dropFirst = (arrivals: ArrivalQueue<unknown>): void => {
  const first = firstQueued(arrivals);
  if (first !== undefined) arrivals.byPosition.delete(first.position);
  arrivals.head += 1;
  if (arrivals.head <= 1_024 || arrivals.head * 2 <= arrivals.queue.length) return;
  arrivals.queue = arrivals.queue.slice(arrivals.head);
  arrivals.head = 0;
};

/** The arrival of a position, made at its first record; enrich writes in order, so it belongs at or near the end. */
export const queuedAt = <Stored>(
  arrivals: ArrivalQueue<Stored>,
  tenant: string,
  position: number,
): QueuedArrival<Stored> => {
  const known = arrivals.byPosition.get(position);
  if (known) return known;
  const made: QueuedArrival<Stored> = {
    tenant,
    position,
    facts: null,
    forgets: false,
    findings: new Map(),
    pinned: [],
    stored: [],
  };
  arrivals.byPosition.set(position, made);
  const place = arrivals.queue.findLastIndex((other) => other.position < position) + 1;
  arrivals.queue.splice(Math.max(place, arrivals.head), 0, made);
  return made;
};

/** A strategy has done all arrivals up to `through`; a lower position changes nothing. */
export const notePassed = (arrivals: ArrivalQueue<unknown>, strategy: string, through: number): void => {
  if (through > (arrivals.passed.get(strategy) ?? -1)) arrivals.passed.set(strategy, through);
};

const passedByAll = ({ passed }: ArrivalQueue<unknown>): number =>
  STRATEGY_NAMES.reduce((least, name) => Math.min(least, passed.get(name) ?? -1), Number.POSITIVE_INFINITY);

/** Accepts no further arrival until `resumeIntake`. */
export const pauseIntake = (arrivals: ArrivalQueue<unknown>): void => {
  const newest = arrivals.queue.at(-1)?.position ?? arrivals.decided;
  arrivals.left = { newest, passed: new Map(arrivals.passed) };
};

/** True if records of this position are accepted; while the intake is paused, only those of queued arrivals are. */
export const isAccepted = ({ left }: ArrivalQueue<unknown>, position: number): boolean =>
  left === null || position <= left.newest;

/**
 * Arrivals that were not accepted are read again. The strategies are reset to their earlier state, since the hits
 * arrive again, too.
 */
export const resumeIntake = (arrivals: ArrivalQueue<unknown>): void => {
  if (arrivals.left !== null) arrivals.passed = new Map(arrivals.left.passed);
  arrivals.left = null;
};

/** Drops all arrivals of one tenant. */
export const dropQueued = (arrivals: ArrivalQueue<unknown>, tenant: string): void => {
  const rest = arrivals.queue.slice(arrivals.head);
  for (const one of rest) if (one.tenant === tenant) arrivals.byPosition.delete(one.position);
  arrivals.queue = rest.filter((one) => one.tenant !== tenant);
  arrivals.head = 0;
};

const unpin = ({ pinned }: QueuedArrival<unknown>): void => {
  for (const member of pinned) member.pins -= 1;
};

/** True if no strategy processes the arrival. */
const needsNoStrategy = ({ facts, forgets }: QueuedArrival<unknown>): boolean =>
  forgets || facts?.links !== undefined || facts?.late === true;

type Next<Stored> = QueuedArrival<Stored> & ({ readonly facts: FactsRecord } | { readonly facts: null });

/**
 * Removes the next arrival that can be decided, in order of position, so that a slow strategy delays groups and never changes them.
 * Arrivals with their own links wait only for their turn. Hits without facts are dropped.
 */
export const takeNext = <Stored>(arrivals: ArrivalQueue<Stored>): Next<Stored> | null => {
  for (let next = firstQueued(arrivals); next; next = firstQueued(arrivals)) {
    const { facts, forgets, position } = next;
    if (!needsNoStrategy(next) && position > passedByAll(arrivals)) return null;
    dropFirst(arrivals);
    unpin(next);
    if (facts) return { ...next, facts };
    if (forgets) return { ...next, facts: null };
  }
  return null;
};

/** The findings in the order of the list of strategies. */
export const findingsOf = ({ findings }: Pick<QueuedArrival<unknown>, 'findings'>): StrategyFindings[] =>
  STRATEGY_NAMES.flatMap((strategy) => {
    const hits = findings.get(strategy)?.hits ?? [];
    return hits.length > 0 ? [{ strategy, hits }] : [];
  });

export const cutOf = ({ findings }: Pick<QueuedArrival<unknown>, 'findings'>): Decision['cut'] => {
  const cut: Record<string, number> = {};
  for (const strategy of STRATEGY_NAMES) {
    const count = findings.get(strategy)?.cut ?? 0;
    if (count > 0) cut[strategy] = count;
  }
  return cut;
};

export const asFacts = ({ arrival, upstream, wholes, settings, quiet = false }: FactsRecord): Facts => ({
  arrival,
  upstream,
  ...(wholes && { wholes }),
  settings,
  quiet,
});
