import type { CorrelationInput, Decision } from '#domain/correlation/records.ts';
import { STRATEGY_NAMES, type StrategyName } from '#domain/correlation/settings.ts';
import type { Facts, Member } from './groups.ts';
import type { Findings } from './links.ts';

type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;

/** The facts of a new event; of one that is linked on demand or by hand, or arrives again, something was decided before. */
export const isNewArrival = (value: CorrelationInput): value is FactsRecord =>
  value.kind === 'facts' &&
  value.links === undefined &&
  (!value.arrival.rebound || value.arrival.again === 'supersedes');

/** An arrival of which the facts are known, or some hits, and that is not decided yet. */
export interface Undecided<Stored> {
  readonly tenant: string;
  readonly position: number;
  facts: FactsRecord | null;
  /** In its turn all that is known of its tenant is dropped; never together with facts. */
  forgets: boolean;
  readonly findings: Map<StrategyName, HitsRecord>;
  /** The arrival and its partners, kept in memory until it is decided. */
  readonly pinned: Member[];
  /** Closed groups that a person wants to extend, as they were read. */
  readonly stored: Stored[];
}

/** Arrivals in the order of their positions. */
export interface Waiting<Stored> {
  /** Live from `head` on. */
  queue: Undecided<Stored>[];
  head: number;
  readonly byPosition: Map<number, Undecided<Stored>>;
  passed: Map<StrategyName, number>;
  /** Everything up to this position is decided. */
  decided: number;
  /** Set while no more arrivals are taken in: the newest one that waits, and what was passed when the next one was left. */
  left: { readonly newest: number; readonly passed: ReadonlyMap<StrategyName, number> } | null;
}

/** Arrivals that wait at most; about 15 KB each with their hits. */
export const MOST_UNDECIDED = 20_000;

export const openWaiting = <Stored>(): Waiting<Stored> => ({
  queue: [],
  head: 0,
  byPosition: new Map(),
  passed: new Map(),
  decided: -1,
  left: null,
});

export const undecidedCount = ({ queue, head }: Waiting<unknown>): number => queue.length - head;
export const firstUndecided = <Stored>({ queue, head }: Waiting<Stored>): Undecided<Stored> | undefined => queue[head];

/** Takes out the first. Moving all others for it would cost more with each one that waits. */
const dropFirst = (waiting: Waiting<unknown>): void => {
  waiting.byPosition.delete(waiting.queue[waiting.head]!.position);
  waiting.head += 1;
  if (waiting.head <= 1_024 || waiting.head * 2 <= waiting.queue.length) return;
  waiting.queue = waiting.queue.slice(waiting.head);
  waiting.head = 0;
};

/** The entry of a position, made when it is the first word of it; enrich writes in order, so it belongs at or near the end. */
export const undecidedAt = <Stored>(waiting: Waiting<Stored>, tenant: string, position: number): Undecided<Stored> => {
  const known = waiting.byPosition.get(position);
  if (known) return known;
  const made: Undecided<Stored> = {
    tenant,
    position,
    facts: null,
    forgets: false,
    findings: new Map(),
    pinned: [],
    stored: [],
  };
  waiting.byPosition.set(position, made);
  const place = waiting.queue.findLastIndex((other) => other.position < position) + 1;
  waiting.queue.splice(Math.max(place, waiting.head), 0, made);
  return made;
};

/** A strategy has done everything up to `through`; what was said before stays. */
export const pass = (waiting: Waiting<unknown>, strategy: StrategyName, through: number): void => {
  if (through > (waiting.passed.get(strategy) ?? -1)) waiting.passed.set(strategy, through);
};

const passedByAll = ({ passed }: Waiting<unknown>): number =>
  STRATEGY_NAMES.reduce((least, name) => Math.min(least, passed.get(name) ?? -1), Number.POSITIVE_INFINITY);

/** No arrival beyond those that wait is taken in until `takeRest`. */
export const leaveRest = (waiting: Waiting<unknown>): void => {
  const newest = waiting.queue.at(-1)?.position ?? waiting.decided;
  waiting.left = { newest, passed: new Map(waiting.passed) };
};

/** Whether an entry of this position is about an arrival that waits, now that no others are taken in. */
export const waitsAlready = ({ left }: Waiting<unknown>, position: number): boolean =>
  left === null || position <= left.newest;

/** Arrivals that were left are read again, and with them how far each strategy was: their hits come before its word. */
export const takeRest = (waiting: Waiting<unknown>): void => {
  if (waiting.left !== null) waiting.passed = new Map(waiting.left.passed);
  waiting.left = null;
};

/** Drops everything of one tenant. */
export const dropUndecided = (waiting: Waiting<unknown>, tenant: string): void => {
  const standing = waiting.queue.slice(waiting.head);
  for (const one of standing) if (one.tenant === tenant) waiting.byPosition.delete(one.position);
  waiting.queue = standing.filter((one) => one.tenant !== tenant);
  waiting.head = 0;
};

const unpin = ({ pinned }: Undecided<unknown>): void => {
  for (const member of pinned) member.pins -= 1;
};

/** Those that no strategy looks at. */
const waitsForNobody = ({ facts, forgets }: Undecided<unknown>): boolean =>
  forgets || facts?.links !== undefined || facts?.late === true;

type Next<Stored> = Undecided<Stored> & ({ readonly facts: FactsRecord } | { readonly facts: null });

/**
 * The next arrival that can be decided, taken out: strictly in order of position, so that a slow strategy delays and never changes groups.
 * One that brings its links waits for no strategy, only for its turn, and so does the end of a tenant, which has no facts. Hits without
 * facts have lost their arrival and go. No member is kept in memory for its sake any more.
 */
export const takeNext = <Stored>(waiting: Waiting<Stored>): Next<Stored> | null => {
  for (let next = firstUndecided(waiting); next; next = firstUndecided(waiting)) {
    const { facts, forgets, position } = next;
    if (!waitsForNobody(next) && position > passedByAll(waiting)) return null;
    dropFirst(waiting);
    unpin(next);
    if (facts) return { ...next, facts };
    if (forgets) return { ...next, facts: null };
  }
  return null;
};

/** What the strategies found, in the order of the list of strategies whatever order it came in. */
export const findingsOf = ({ findings }: Pick<Undecided<unknown>, 'findings'>): Findings[] =>
  STRATEGY_NAMES.flatMap((strategy) => {
    const hits = findings.get(strategy)?.hits ?? [];
    return hits.length > 0 ? [{ strategy, hits }] : [];
  });

export const cutOf = ({ findings }: Pick<Undecided<unknown>, 'findings'>): Decision['cut'] => {
  const cut: Partial<Record<StrategyName, number>> = {};
  for (const strategy of STRATEGY_NAMES) {
    const count = findings.get(strategy)?.cut ?? 0;
    if (count > 0) cut[strategy] = count;
  }
  return cut;
};

export const asFacts = ({ arrival, upstream, settings }: FactsRecord): Facts => ({ arrival, upstream, settings });
