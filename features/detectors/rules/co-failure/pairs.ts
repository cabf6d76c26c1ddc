import { entryOf } from '#domain/assert.ts';
import { poissonTail } from './tails.ts';

/** Incidents in which two CIs failed, at least; and how many times what chance would bring. */
export const MIN_TOGETHER = 4;
const MIN_LIFT = 3;
/** Number of CIs above which an incident is a storm, in which everything coincides. */
const MAX_CIS = 20;
/** Maximum of pairs that are tested further, the least accidental. */
const MAX_PAIRS = 100;

/** CIs that failed in one incident. */
export interface Incident {
  readonly id: string;
  readonly cis: ReadonlySet<string>;
}
export interface Failures {
  readonly incidents: readonly Incident[];
  /** Failures outside incidents by CI. */
  readonly alone: ReadonlyMap<string, number>;
}

/** Two CIs that fail together more often than chance explains; `a` is before `b` in the order of ids. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  /** Ids of the incidents in which both failed. */
  readonly together: readonly string[];
  /** Number expected by chance. */
  readonly expected: number;
  /** Probability of this number by chance. */
  readonly chance: number;
}

/** Counts the failures of each, in incidents that are no storms and alone. */
function failuresOf({ incidents, alone }: Failures): Map<string, number> {
  const counts = new Map(alone);
  for (const { cis } of incidents) for (const ci of cis) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return counts;
}

/** Returns the probability that two failures drawn at random are in one incident. */
function meeting(incidents: readonly Incident[], failures: number): number {
  const pairs = incidents.reduce((sum, { cis }) => sum + cis.size * (cis.size - 1), 0);
  return pairs / Math.max(1, failures ** 2);
}

function met(incidents: readonly Incident[], often: ReadonlySet<string>): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const { id, cis } of incidents) {
    const own = [...cis].filter((ci) => often.has(ci)).sort();
    for (const [i, a] of own.entries())
      for (const b of own.slice(i + 1)) {
        const known = pairs.get(`${a} ${b}`);
        if (known === undefined) pairs.set(`${a} ${b}`, [id]);
        else known.push(id);
      }
  }
  return pairs;
}

/**
 * Pairs that fail together too often for chance: what chance brings follows from how often each failed and how large incidents are.
 * `tests`: pairs that could have been found.
 */
export function pairsOf(failures: Failures): { readonly pairs: readonly Pair[]; readonly tests: number } {
  const incidents = failures.incidents.filter(({ cis }) => cis.size > 1 && cis.size <= MAX_CIS);
  const single = failures.incidents.filter(({ cis }) => cis.size === 1);
  const counts = failuresOf({ incidents: [...incidents, ...single], alone: failures.alone });
  const often = new Set([...counts].filter(([, count]) => count >= MIN_TOGETHER).map(([ci]) => ci));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const share = meeting(incidents, all);
  const pairs = [...met(incidents, often)].flatMap(([key, together]): Pair[] => {
    const [a, b] = key.split(' ') as [string, string];
    const expected = entryOf(counts, a) * entryOf(counts, b) * share;
    if (together.length < MIN_TOGETHER || together.length < MIN_LIFT * expected) return [];
    return [{ a, b, together, expected, chance: poissonTail(together.length, expected) }];
  });
  pairs.sort((one, other) => one.chance - other.chance || (one.a + one.b < other.a + other.b ? -1 : 1));
  return { pairs: pairs.slice(0, MAX_PAIRS), tests: (often.size * Math.max(0, often.size - 1)) / 2 };
}
