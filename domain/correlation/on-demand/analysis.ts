import type { Enriched, Group } from '#domain/correlation/records.ts';
import type { Link } from '#domain/event/incoming.ts';
import { openSimulation, type SimulatedGroup } from './simulation.ts';

export interface AnalysisRange {
  /** Event time, ms. */
  readonly from: number;
  readonly to: number;
  /** Maximum of records. */
  readonly limit: number;
  /** Number of groups returned in full, the largest. */
  readonly shown: number;
  /** True if the links are requested, too. */
  readonly links: boolean;
}

/** Links that the strategies found for one event. */
export interface FoundLinks {
  readonly eventId: string;
  readonly links: readonly Link[];
}
export interface AnalyzedGroup {
  readonly group: Group;
  readonly members: readonly string[];
  /** Strategy that decided most of its links. */
  readonly pattern: string | null;
}

/** The groups and links that the strategies find in stored records. */
export interface Analysis {
  readonly analyzed: number;
  readonly groups: number;
  readonly correlated: number;
  readonly shown: readonly AnalyzedGroup[];
  /** Links in parts, so that none is long. */
  readonly found: Iterable<readonly FoundLinks[]>;
}

/** Records to be read, by time, then position. */
export interface RecordsWanted {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Links in one part. */
const PART = 100;

const partsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PART) }, (_, part) => all.slice(part * PART, (part + 1) * PART));

const patternOf = ({ members }: SimulatedGroup, strategies: ReadonlyMap<string, string>): string | null => {
  const counts = new Map<string, number>();
  for (const id of members) {
    const strategy = strategies.get(id);
    if (strategy) counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
};

/**
 * Runs the strategies over records again, `turn` of them at a time: asks for records, is given them, and returns the analysis. Its
 * caller decides what happens between two turns.
 */
export function* analysisSteps(
  { from, to, limit, shown, links }: AnalysisRange,
  turn: number,
): Generator<RecordsWanted, Analysis, readonly Enriched[]> {
  const simulation = openSimulation();
  const found: FoundLinks[] = [];
  const strategies = new Map<string, string>();
  /** Records of the newest time read so far: more of that time may follow. */
  const atEdge = new Set<string>();
  let analyzed = 0;
  for (let since = from; analyzed < limit; ) {
    const wanted = turn + atEdge.size;
    const chunk = yield { from: since, to, limit: wanted };
    const fresh = chunk.filter(({ arrival }) => !atEdge.has(arrival.eventId)).slice(0, limit - analyzed);
    for (const record of fresh) {
      const { eventId, accepted } = simulation.take(record);
      if (accepted.length === 0) continue;
      if (links) found.push({ eventId, links: accepted });
      strategies.set(eventId, accepted[0]?.reasons[0]?.strategy ?? '');
    }
    analyzed += fresh.length;
    const last = chunk.at(-1)?.arrival.time;
    if (chunk.length < wanted || last === undefined) break;
    if (last !== since) atEdge.clear();
    for (const { arrival } of chunk) if (arrival.time === last) atEdge.add(arrival.eventId);
    since = last;
  }
  const groups = simulation.finish();
  return {
    analyzed,
    groups: groups.length,
    correlated: groups.reduce((sum, { members }) => sum + members.length, 0),
    shown: groups.slice(0, shown).map((one) => ({ ...one, pattern: patternOf(one, strategies) })),
    found: partsOf(found),
  };
}
