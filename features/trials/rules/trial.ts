import type { CHANGE_KINDS, GroupCounts } from '#features/trials/rules/compare-groups.ts';

/** Documents about trials of settings; `(system)` marks those stored under SYSTEM_TENANT. */
export const TRIAL_KINDS = {
  trial: 'settings-trial',
  /** (system) By tenant: the trial that waits or is at work. */
  queue: 'settings-trial-queue',
  /** (system) By tenant: the process that works on it. */
  lease: 'settings-trial-lease',
} as const;

/** Settings that decide what becomes an event: a trial of stored events cannot tell. */
export const BEFORE_EVENTS = ['dedupScope', 'dedupWindowMs', 'plainEscalation', 'maxBehindMs', 'heartbeats'] as const;

/** A trial of settings on what is stored. */
export const TRIAL_STATES = ['waiting', 'running', 'completed', 'failed'] as const;

interface NamedGroup {
  readonly correlationId: string;
  readonly size: number;
}
export interface TrialChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly before: readonly NamedGroup[];
  readonly after: readonly NamedGroup[];
  /** Of the events that the groups begin with. */
  readonly titles: readonly string[];
}

export interface TrialResult {
  /** From when on events were looked at; later than asked for when there are too many. ms. */
  readonly from: number;
  readonly events: number;
  readonly truncated: boolean;
  readonly before: GroupCounts;
  readonly after: GroupCounts;
  /** The largest differences; `changed` counts all. */
  readonly changes: readonly TrialChange[];
  readonly changed: number;
  /** Of what people called right, how much would be the same. */
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
  /** Why it failed. */
  readonly error: string | null;
  readonly result: TrialResult | null;
}
