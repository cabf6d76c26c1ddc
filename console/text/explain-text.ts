import type { Explained } from '#console/api/group-parts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { percent } from '#domain/numbers.ts';

const LABELS: ReadonlyMap<string, string> = new Map(strategies.map(({ name, words }) => [name, words.label]));

/** Returns the label of a strategy; `manual` can occur beside them. */
export const strategyWords = (strategy: string): string =>
  strategy === 'manual' ? 'Manual' : (LABELS.get(strategy) ?? strategy);

/** Parts of the score of a cause, each with its meaning. */
export const PART_WORDS = {
  coverage: 'Downstream impact',
  evidence: 'Own problems',
  earliness: 'First event',
  severity: 'Severity',
  knownPattern: 'Known root-cause pattern',
} as const;

/** Display names of known causes. */
export const PATTERN_WORDS: Readonly<Record<KnownPattern, string>> = {
  host_down: 'host down',
  link_down: 'link down',
  power: 'power failure',
  disk_full: 'disk full',
  database_down: 'database down',
  out_of_memory: 'out of memory',
  change: 'change or deployment',
  dns: 'DNS failure',
};

type NotCompared = NonNullable<Explained['notCompared']>;

const leftOut = (truncated: NonNullable<NotCompared['truncated']>): string =>
  Object.entries(truncated)
    .map(([strategy, number]) => `${strategyWords(strategy)}: ${number} skipped`)
    .join(', ');

/** The sentence of the server, with display names of strategies. */
const notComparedWords = ({ cause, reason, truncated }: NotCompared): string => {
  const said = reason.replace(/^not compared(?: by CI)?: /, '');
  const begin = cause === 'bound_late' ? 'Not compared by CI' : 'Not compared';
  return `${begin}: ${truncated === undefined ? said : said.replace(/; [^;]*$/, `; ${leftOut(truncated)}`)}.`;
};

/** One sentence that answers the question, before the numbers. */
export const verdictWords = ({ together, manual, strategies, refusedReason, notCompared }: Explained): string => {
  const best = strategies.toSorted((a, b) => b.score - a.score)[0];
  const strength = best === undefined ? '' : `${strategyWords(best.strategy)} score ${percent(best.score)}`;
  if (manual) return 'Merged manually.';
  if (together && best?.joined) return `Same group: ${strength}, above the threshold (${percent(best.threshold)}).`;
  if (together) return 'Same group through other events. On their own, these two would not correlate.';
  if (refusedReason !== null) return `Not grouped: ${refusedReason}.`;
  if (notCompared !== null) return notComparedWords(notCompared);
  if (best !== undefined && best.score > 0)
    return `Not grouped: ${strength}, below the threshold (${percent(best.threshold)}).`;
  return 'Not grouped: no correlation strategy matched.';
};
