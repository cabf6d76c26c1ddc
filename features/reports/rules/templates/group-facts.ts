import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { clockIn, duration, percent } from '#features/reports/rules/values/values.ts';

/** A root cause in a report. */
interface ToldCause {
  /** `“Link down” on sw-1`. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/**
 * A service affected by a group; `impactMs`: time in which a component had an open event, or depended on the open root
 * cause.
 */
export interface ImpactedService {
  readonly name: string;
  readonly criticality: string;
  readonly isDown: boolean;
  readonly isHitNow: boolean;
  readonly impactMs: number;
}

/** Entry of the group timeline; `at` in ms. */
export interface GroupMomentRow {
  readonly at: number;
  readonly by: string;
  readonly text: string;
}

/** Facts about one group. Times are ms; null: has not happened. */
export interface ReportedGroup {
  readonly id: string;
  readonly title: string;
  readonly began: number;
  /** End of its last event. */
  readonly ended: number | null;
  readonly now: number;
  readonly events: number;
  readonly open: number;
  readonly cis: number;
  readonly severity: string;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly assignee: string | null;
  /** Null: no candidate has enough confidence. */
  readonly cause: ToldCause | null;
  readonly rival: ToldCause | null;
  readonly verdict: {
    readonly by: string;
    readonly at: number;
    readonly cause: string;
    readonly root: string | null;
    readonly note: string | null;
  } | null;
  /** Time at which a root cause was first identified, ms. */
  readonly causeNamedAt: number | null;
  readonly services: readonly ImpactedService[];
  /** Oldest first; up to a limit, out of `momentsTotal`. */
  readonly moments: readonly GroupMomentRow[];
  readonly momentsTotal: number;
  /** User actions: notes, assignments, verdicts and status changes. */
  readonly actions: readonly GroupMomentRow[];
  readonly resolutionNotes: readonly string[];
}

/** Data of a report about a group; null: no group matches. */
export interface GroupReportRead {
  readonly group: ReportedGroup | null;
}

/** States the root cause; verdicts take precedence. */
export const causeSentence = ({ verdict, cause }: ReportedGroup): string => {
  const isRight = verdict?.cause === 'right';
  const root = verdict?.root ?? (isRight ? cause?.text : undefined);
  if (verdict && root !== undefined) return verdictText({ ...verdict, isRight, root, scored: null });
  if (cause === null) return 'No root cause identified.';
  if (verdict?.cause === 'wrong') return `No root cause identified: ${verdict.by} rejected ${cause.text}.`;
  return `Probable root cause: ${cause.text}, ${percent(cause.confidence)} confidence.`;
};

export const lastedMs = ({ began, ended, now }: ReportedGroup): number => Math.max(0, (ended ?? now) - began);

/** `20 Nov 2026, 10:00 (2h 5m ago)`. */
export const whenText = (at: number, now: number, zone: string): string =>
  `${clockIn(zone).time(at)} (${duration(Math.max(0, now - at))} ago)`;
