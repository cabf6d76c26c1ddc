import { count, number } from '#console/words/counts.ts';
import type { TrialShown } from './api.ts';

type Change = NonNullable<TrialShown['changes']>[number];

/** Before and after of one number. */
interface Compared {
  readonly words: string;
  readonly before: number;
  readonly after: number;
}

/** The four numbers of a trial that has ended. */
export const compared = ({ before, after }: TrialShown): Compared[] =>
  before === null || after === null
    ? []
    : [
        { words: 'Groups', before: before.groups, after: after.groups },
        { words: 'Events in groups', before: before.grouped, after: after.grouped },
        { words: 'Events in the largest group', before: before.largest, after: after.largest },
        { words: 'Events that stand alone', before: before.noise, after: after.noise },
      ];

/** `+3`, `−7`, `same`. */
export const signed = ({ before, after }: Compared): string => {
  if (before === after) return 'same';
  return after > before ? `+${number(after - before)}` : `−${number(before - after)}`;
};

const STATE_WORDS = { waiting: 'queued', running: 'running', completed: 'finished', failed: 'failed' } as const;

/** `finished · 22 groups → 24`. */
export const stateOfTrial = ({ state, before, after }: TrialShown): string =>
  [
    STATE_WORDS[state],
    ...(before === null || after === null ? [] : [`${count(before.groups, 'group')} → ${number(after.groups)}`]),
  ].join(' · ');

/** `Largest group: 2`: the settings that were tried, whether or not they stand by now. */
export const triedWords = (differences: readonly { readonly words: string; readonly after: string }[]): string =>
  differences.length === 0
    ? 'current settings'
    : differences.map(({ words, after }) => `${words}: ${after}`).join(' · ');

/** `22 groups would become 24`; what a trial comes to. */
export const verdictOfTrial = ({ before, after, changed }: TrialShown): string => {
  if (before === null || after === null || changed === null) return '';
  if (changed === 0) return 'Every group would come out as it is.';
  const groups =
    before.groups === after.groups
      ? `There would still be ${count(after.groups, 'group')}`
      : `${count(before.groups, 'group')} would become ${number(after.groups)}`;
  return `${groups}; ${count(changed, 'group')} would come out otherwise.`;
};

/** The fate of the groups that people called right. */
export const keptWords = ({ verdicts }: TrialShown): string => {
  if (verdicts === null) return '';
  const { kept, lost } = verdicts;
  if (kept + lost === 0)
    return 'Nobody has called a group of this time right yet, so the trial cannot tell better from worse.';
  if (lost === 0)
    return kept === 1
      ? 'The group that people called right would come out the same.'
      : `All ${number(kept)} groups that people called right would come out the same.`;
  return `${number(lost)} of ${number(kept + lost)} groups that people called right would come out otherwise.`;
};

export const CHANGE_WORDS = { split: 'Falls apart', merged: 'Grows together', new: 'New', gone: 'Gone' } as const;

const sizes = (groups: Change['before']): string => groups.map(({ size }) => number(size)).join(' + ');

/** `11 events → 7 + 2 + 2`. */
export const sizeWords = ({ before, after }: Change): string => {
  const events = (groups: Change['before']): string =>
    groups.length === 1 ? count(groups[0]?.size ?? 0, 'event') : `${sizes(groups)} events`;
  if (before.length === 0) return `${events(after)} that stand alone now`;
  if (after.length === 0) return `${events(before)}, which would stand alone`;
  return `${events(before)} → ${sizes(after)}`;
};
