import type { QualityData } from '#console/api/tuning.ts';
import { count, number } from '#console/text/counts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { percent } from '#domain/numbers.ts';

type CauseShare = Pick<QualityData['cause'], 'right' | 'of' | 'interval'>;

/** Fewer are not significant: the server does not return a calibration below it either. */
export const ENOUGH = 30;

/** `Root cause correct in 31 of 36 groups with a verdict (86%).` */
export const causeWords = ({ right, of }: CauseShare): string => {
  if (of === 0) return 'No verdicts on root causes yet.';
  return `Root cause correct in ${number(right)} of ${count(of, 'group')} with a verdict (${percent(right / of)}).`;
};

/** `71–94%`. */
export const rangeWords = ({ low, high }: NonNullable<CauseShare['interval']>): string =>
  `${Math.round(low * 100)}–${percent(high)}`;

/** `95% confidence interval: 71–94%.` */
export const intervalWords = ({ interval }: CauseShare): string =>
  interval === null ? '' : `95% confidence interval: ${rangeWords(interval)}.`;

/** Advice for groups with unrelated or missing events. */
export const memberWords = ({ members: { too_many, too_few } }: QualityData): string[] => [
  ...(too_many === 0
    ? []
    : [`${count(too_many, 'group')} contained unrelated events. Raise the minimum score by 0.05 and simulate it.`]),
  ...(too_few === 0
    ? []
    : [`${count(too_few, 'group')} missed events. Check for missing relationships, or lower the minimum score.`]),
];

/** Describes manual corrections by users. */
export const mendedWords = ({ corrections: { splits, merges, truncated } }: QualityData): string => {
  if (splits + merges === 0) return 'No manual splits or merges.';
  const said = [
    ...(splits === 0 ? [] : [count(splits, 'manual split')]),
    ...(merges === 0 ? [] : [count(merges, 'manual merge')]),
  ];
  return `${truncated ? 'At least ' : ''}${said.join(', ')}.`;
};

/** Describes the reliability of the confidence of causes. */
export const calibrationWords = ({ calibration: { of, error } }: QualityData): string => {
  if (error === null) return `Calibration needs ${ENOUGH} verdicts; ${number(of)} so far.`;
  return `Calibration error: ${percent(error)} on average over ${count(of, 'verdict')}.`;
};

const TITLES: ReadonlyMap<string, string> = new Map([
  ...strategies.map(({ name, words }) => [name, words.setting] as const),
  ['manual', 'Manual'],
]);
export const strategyWords = (strategy: string | null): string =>
  strategy === null ? 'None' : (TITLES.get(strategy) ?? strategy);
