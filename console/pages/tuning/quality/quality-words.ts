import type { QualityShown } from '#console/api/tuning.ts';
import { count, number, percent } from '#console/words/counts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';

interface Share {
  readonly right: number;
  readonly of: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Fewer say little: the server does not tell of calibration below it either. */
export const ENOUGH = 30;

/** `The cause was right in 31 of 36 judged groups (86 %).` */
export const causeWords = ({ right, of }: Share): string => {
  if (of === 0) return 'Nobody has said yet whether a cause was right.';
  return `The cause was right in ${number(right)} of ${count(of, 'judged group')} (${percent(right / of)}).`;
};

/** `Judging by these, causes are right in 71 to 94 % of all groups.` */
export const intervalWords = ({ interval }: Share): string =>
  interval === null
    ? ''
    : `Judging by these, causes are right in ${Math.round(interval.low * 100)} to ${percent(interval.high)} of all groups.`;

/** Verdicts on the members of judged groups, and advice. */
export const memberWords = ({ members: { right, too_many, too_few } }: QualityShown): string[] => {
  const of = right + too_many + too_few;
  if (of === 0) return [];
  return [
    `${number(right)} of ${count(of, 'judged group')} held what belongs together.`,
    ...(too_many === 0
      ? []
      : [
          `${count(too_many, 'group')} held too much: raise the score that joins by 0.05, and try it on stored events.`,
        ]),
    ...(too_few === 0
      ? []
      : [
          `${count(too_few, 'group')} held too little: a relationship may be missing in the CMDB; else lower the score.`,
        ]),
  ];
};

/** Corrections of people by hand. */
export const mendedWords = ({ corrections: { splits, merges, truncated } }: QualityShown): string => {
  if (splits + merges === 0) return 'Nobody took a group apart or put groups together.';
  const said = [
    ...(splits === 0 ? [] : [`took a part out of a group ${count(splits, 'time')}`]),
    ...(merges === 0 ? [] : [`put groups together ${count(merges, 'time')}`]),
  ];
  return `People ${said.join(' and ')}${truncated ? ', at least' : ''}.`;
};

/** How far what is said of causes can be believed. */
export const calibrationWords = ({ calibration: { of, error } }: QualityShown): string => {
  if (error === null)
    return `Whether confidence keeps its word can be said from ${ENOUGH} judged causes on; there are ${number(of)}.`;
  return `On average, confidence is ${percent(error)} away from how often causes were right, over ${count(of, 'judged cause')}.`;
};

const TITLES: ReadonlyMap<string, string> = new Map([
  ...strategies.map(({ name, words }) => [name, words.setting] as const),
  ['manual', 'Joined by a person'],
]);
export const strategyWords = (strategy: string | null): string =>
  strategy === null ? 'Joined by nothing' : (TITLES.get(strategy) ?? strategy);
