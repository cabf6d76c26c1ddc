import type { Explained } from '#console/api/group-parts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { percent } from './counts.ts';

const LABELS: ReadonlyMap<string, string> = new Map(strategies.map(({ name, words }) => [name, words.label]));

/** A strategy as people say it; `manual` stands beside them in what is shown. */
export const strategyWords = (strategy: string): string =>
  strategy === 'manual' ? 'By hand' : (LABELS.get(strategy) ?? strategy);

/** Parts of the score of a cause, each with what it means. */
export const PART_WORDS = {
  coverage: 'Others lie below it',
  earliness: 'It came first',
  severity: 'It is severe',
  knownPattern: 'Known to cause others',
} as const;

/** Known causes as people call them. */
export const PATTERN_WORDS: Readonly<Record<KnownPattern, string>> = {
  host_down: 'host down',
  link_down: 'link down',
  power: 'power lost',
  disk_full: 'disk full',
  database_down: 'database down',
  out_of_memory: 'out of memory',
  change: 'a change',
  dns: 'names not resolved',
};

type NotCompared = NonNullable<Explained['notCompared']>;

const leftOut = (truncated: NonNullable<NotCompared['truncated']>): string =>
  Object.entries(truncated)
    .map(([strategy, number]) => `${strategyWords(strategy)} left out ${number}`)
    .join(', ');

/** The sentence of the server, with strategies as people call them. */
const notComparedWords = ({ cause, reason, truncated }: NotCompared): string => {
  const said = reason.replace(/^not compared(?: by CI)?: /, '');
  const begin = cause === 'bound_late' ? 'They were not compared by their CIs' : 'They were never compared';
  return `${begin}: ${truncated === undefined ? said : said.replace(/; [^;]*$/, `; ${leftOut(truncated)}`)}.`;
};

/** One sentence that answers the question, before the numbers. */
export const verdictWords = ({ together, manual, strategies, refusedReason, notCompared }: Explained): string => {
  const best = strategies.toSorted((a, b) => b.score - a.score)[0];
  const strength = best === undefined ? '' : `${strategyWords(best.strategy)} says ${percent(best.score)}`;
  if (manual) return 'A person has put the two together.';
  if (together && best?.joined) return `They are in one group: ${strength}, and ${percent(best.threshold)} is enough.`;
  if (together) return 'They are in one group by way of other members; the two alone would not be joined.';
  if (refusedReason !== null) return `They are kept apart: ${refusedReason}.`;
  if (notCompared !== null) return notComparedWords(notCompared);
  if (best !== undefined && best.score > 0)
    return `They are not in one group: ${strength}, and ${percent(best.threshold)} would be needed.`;
  return 'They are not in one group: no strategy finds anything that joins them.';
};
