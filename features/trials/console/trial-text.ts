import { count, number } from '#console/text/counts.ts';
import type { TrialData } from './api.ts';

type TrialGroupChange = NonNullable<TrialData['changes']>[number];

/** Values of one number before and after. */
interface NumberComparison {
  readonly words: string;
  readonly before: number;
  readonly after: number;
}

/** The four numbers of a trial that has ended. */
export const compared = ({ before, after }: TrialData): NumberComparison[] =>
  before === null || after === null
    ? []
    : [
        { words: 'Groups of 2 or more events', before: before.groups, after: after.groups },
        { words: 'Events in groups', before: before.grouped, after: after.grouped },
        { words: 'Events in the largest group', before: before.largest, after: after.largest },
        { words: 'Ungrouped events', before: before.noise, after: after.noise },
      ];

/** `+3`, `−7`, `no change`. */
export const signed = ({ before, after }: NumberComparison): string => {
  if (before === after) return 'no change';
  return after > before ? `+${number(after - before)}` : `−${number(before - after)}`;
};

const STATE_WORDS = { waiting: 'Queued', running: 'Running', completed: 'Completed', failed: 'Failed' } as const;

/** `Completed · 22 groups → 24`. */
export const stateOfTrial = ({ state, before, after }: TrialData): string =>
  [
    STATE_WORDS[state],
    ...(before === null || after === null ? [] : [`${count(before.groups, 'group')} → ${number(after.groups)}`]),
  ].join(' · ');

/** `Largest group: 2`: the tried settings, whether or not they are saved by now. */
export const triedWords = (differences: readonly { readonly words: string; readonly after: string }[]): string =>
  differences.length === 0
    ? 'current settings'
    : differences.map(({ words, after }) => `${words}: ${after}`).join(' · ');

/** Returns the result of a trial: `22 groups → 24; 3 groups would change.` */
export const verdictOfTrial = ({ before, after, changed }: TrialData): string => {
  if (before === null || after === null || changed === null) return '';
  if (changed === 0) return 'No groups would change.';
  const groups =
    before.groups === after.groups
      ? `Still ${count(after.groups, 'group')}`
      : `${count(before.groups, 'group')} → ${number(after.groups)}`;
  return `${groups}; ${count(changed, 'group')} would change.`;
};

/** Describes the outcome for confirmed groups. */
export const keptWords = ({ verdicts }: TrialData): string => {
  if (verdicts === null) return '';
  const { kept, lost } = verdicts;
  if (kept + lost === 0) return "No confirmed groups in this period, so the simulation can't tell better from worse.";
  if (lost === 0)
    return kept === 1
      ? 'The group with a confirmed root cause or events would not change.'
      : `All ${number(kept)} groups with a confirmed root cause or events would stay the same.`;
  return `${number(lost)} of ${count(kept + lost, 'group')} with a confirmed root cause or events would change.`;
};

export const CHANGE_WORDS = { split: 'Split', merged: 'Merged', new: 'New', gone: 'Removed' } as const;

const sizes = (groups: TrialGroupChange['before']): string => groups.map(({ size }) => number(size)).join(' + ');

/** `11 events → 7 + 2 + 2`. */
export const sizeWords = ({ before, after }: TrialGroupChange): string => {
  const events = (groups: TrialGroupChange['before']): string =>
    groups.length === 1 ? count(groups[0]?.size ?? 0, 'event') : `${sizes(groups)} events`;
  if (before.length === 0) return `${events(after)}, currently ungrouped`;
  if (after.length === 0) return `${events(before)}, would be ungrouped`;
  return `${events(before)} → ${sizes(after)}`;
};
