import type { CHANGE_KINDS, GroupCounts } from '#features/trials/rules/compare-groups.ts';

/** Kind of the record store. */
export const TRIAL = 'settings-trial';

/** Settings that apply before an event exists: a trial of stored events cannot test them. */
export const BEFORE_EVENTS = [
  'dedupScope',
  'dedupWindowMs',
  'plainEscalation',
  'maxBehindMs',
  'heartbeats',
  'showEffectsAs',
] as const;

/** A trial of settings on stored events. */
export const TRIAL_STATES = ['waiting', 'running', 'completed', 'failed'] as const;

interface NamedGroup {
  readonly correlationId: string;
  readonly size: number;
}
export interface TrialChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly before: readonly NamedGroup[];
  readonly after: readonly NamedGroup[];
  /** Titles of the first events of the groups. */
  readonly titles: readonly string[];
}

export interface TrialResult {
  /** Start of the processed events; later than requested when there are too many. ms. */
  readonly from: number;
  readonly events: number;
  readonly truncated: boolean;
  readonly before: GroupCounts;
  readonly after: GroupCounts;
  /** The largest differences; `changed` counts all. */
  readonly changes: readonly TrialChange[];
  readonly changed: number;
  /** Number of confirmed groups and causes that would stay the same. */
  readonly verdicts: { readonly kept: number; readonly lost: number };
}

export interface Trial {
  readonly id: string;
  readonly state: (typeof TRIAL_STATES)[number];
  /** 0 to 1. */
  readonly done: number;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly hours: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The person who asked. */
  readonly by: string;
  /** Reason of the failure. */
  readonly error: string | null;
  readonly result: TrialResult | null;
}
