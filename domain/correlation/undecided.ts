import type { Facts, Member } from './groups.ts';
import type { Findings } from './links.ts';
import type { CorrelationInput, Decision } from './records.ts';
import { STRATEGY_NAMES, type StrategyName } from './settings.ts';

type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;

/** The facts of a new event; of one that is linked on demand or by hand, or bound later, something was decided before. */
export const isNewArrival = (value: CorrelationInput): value is FactsRecord =>
  value.kind === 'facts' && value.links === undefined && !value.arrival.rebound;

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
  readonly queue: Undecided<Stored>[];
  readonly byPosition: Map<number, Undecided<Stored>>;
  readonly passed: Map<StrategyName, number>;
  /** Everything up to this position is decided. */
  decided: number;
}

export const openWaiting = <Stored>(): Waiting<Stored> => ({
  queue: [],
  byPosition: new Map(),
  passed: new Map(),
  decided: -1,
});

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
  waiting.queue.splice(place, 0, made);
  return made;
};

/** A strategy has done everything up to `through`; what was said before stays. */
export const pass = (waiting: Waiting<unknown>, strategy: StrategyName, through: number): void => {
  if (through > (waiting.passed.get(strategy) ?? -1)) waiting.passed.set(strategy, through);
};

const passedByAll = ({ passed }: Waiting<unknown>): number =>
  STRATEGY_NAMES.reduce((least, name) => Math.min(least, passed.get(name) ?? -1), Number.POSITIVE_INFINITY);

/** Drops everything of one tenant. */
export const dropUndecided = (waiting: Waiting<unknown>, tenant: string): void => {
  const kept = waiting.queue.filter((one) => one.tenant !== tenant);
  for (const one of waiting.queue) if (one.tenant === tenant) waiting.byPosition.delete(one.position);
  waiting.queue.splice(0, waiting.queue.length, ...kept);
};

/** Those that no strategy looks at. */
const waitsForNobody = ({ facts, forgets }: Undecided<unknown>): boolean =>
  forgets || facts?.links !== undefined || facts?.late === true;

type Next<Stored> = Undecided<Stored> & ({ readonly facts: FactsRecord } | { readonly facts: null });

/**
 * The next arrival that can be decided, taken out: strictly in order of position, so that a slow strategy delays and never changes groups.
 * One that brings its links waits for no strategy, only for its turn, and so does the end of a tenant, which has no facts. Hits without
 * facts have lost their arrival and go.
 */
export const takeNext = <Stored>(waiting: Waiting<Stored>): Next<Stored> | null => {
  for (let next = waiting.queue[0]; next; next = waiting.queue[0]) {
    const { facts, forgets, position } = next;
    if (!waitsForNobody(next) && position > passedByAll(waiting)) return null;
    waiting.queue.shift();
    waiting.byPosition.delete(position);
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
