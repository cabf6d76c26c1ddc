import type { Degraded } from '#domain/ai/degraded.ts';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { CiRef, Event } from '#domain/event/event.ts';

/** Checks in the order of the rules. */
export const INVESTIGATION_CHECKS = ['history', 'changes', 'path', 'siblings', 'past'] as const;
export type InvestigationCheck = (typeof INVESTIGATION_CHECKS)[number];

/** `verdict`: set by a user; `ranking`: a root-cause candidate of the group; `change`: of a CI near it. */
export const HYPOTHESIS_BASES = ['verdict', 'ranking', 'change'] as const;

export type HypothesisCi = Pick<CiRef, 'id' | 'name'>;

/** CIs around the CI of a hypothesis. */
export interface FaultReach {
  /** Nearest dependents, which must all have events if the hypothesis is true. */
  readonly dependents: readonly HypothesisCi[];
  readonly isCut: boolean;
  /** Nearest dependencies, none of which may have failed earlier. */
  readonly needs: readonly (HypothesisCi & { readonly hops: number })[];
}

/** A possible cause of a group. */
export interface CauseHypothesis {
  /** `H1`. */
  readonly id: string;
  readonly basis: (typeof HYPOTHESIS_BASES)[number];
  /** Name in sentences: `“Link down” on sw-1`. */
  readonly text: string;
  /** Null: a change of the CMDB. */
  readonly event: Event | null;
  readonly ci: HypothesisCi | null;
  /** Event time, ms. */
  readonly since: number;
  /** Confidence before any check, 0 to 1. */
  readonly prior: number;
  /** A verdict rejected it as the root cause. */
  readonly isRejected: boolean;
  readonly reach: FaultReach;
}

/** A change of a CI, or a change event. */
export interface NearChange {
  readonly at: number;
  readonly ci: HypothesisCi;
  /** Name in sentences: `“Deploy 4.2” on web-1`. */
  readonly text: string;
  readonly event: Event | null;
}

/** Facts about a group that all checks share. */
export interface GroupScene {
  readonly row: ListedGroup;
  /** Earliest first. */
  readonly members: readonly Event[];
  /** Name and first member (ms) by CI. */
  readonly hit: ReadonlyMap<string, { readonly name: string; readonly at: number }>;
  /** Newest first. */
  readonly changes: readonly NearChange[];
  /** Event time of the first event of the tenant, ms; null: none is known. */
  readonly dataSince: number | null;
  readonly abstainBelow: number;
  readonly now: number;
}

/** The result of one check. */
export interface CheckFinding {
  readonly text: string;
  /** Logarithm of odds: above 0 for the hypothesis, below 0 against it. */
  readonly weight: number;
  readonly eventIds: readonly string[];
  /** The first step that follows from it, as a sentence. */
  readonly next?: string;
  /** The event recurs, so it explains nothing. */
  readonly isUsual?: true;
}

/** A completed check. */
export interface CheckMade extends CheckFinding {
  readonly check: InvestigationCheck;
  readonly hypothesis: string;
  /** Change in confidence. */
  readonly moved: number;
  /** Confidence after the check, 0 to 1. */
  readonly confidence: number;
  readonly chosenBy: 'rules' | 'model';
}

/** A hypothesis with its checks so far. */
export interface CheckedHypothesis {
  readonly hypothesis: CauseHypothesis;
  readonly confidence: number;
  readonly isUsual: boolean;
  readonly checks: readonly CheckMade[];
}

/** The result of an investigation. */
export interface InvestigationConclusion {
  /** Id of the hypothesis; null: no root cause is identified. */
  readonly cause: string | null;
  readonly confidence: number;
  readonly basis: 'verdict' | 'checks';
  /** The answer in one sentence. */
  readonly text: string;
  readonly against: readonly string[];
  readonly rival: { readonly id: string; readonly text: string; readonly confidence: number } | null;
  readonly next: readonly string[];
  readonly settles: string | null;
  /** Minute in which the root cause could have been known, ms. */
  readonly knowableAt: number | null;
}

/** The model that chose checks, if any. */
export interface ChoosingModel {
  /** Null: rules only. */
  readonly model: string | null;
  readonly degraded: Degraded | null;
}

export interface Investigation {
  /** The first sentence. */
  readonly text: string;
  readonly scene: GroupScene;
  readonly hypotheses: readonly CheckedHypothesis[];
  readonly conclusion: InvestigationConclusion;
  /** Some checks were omitted because the time limit was reached. */
  readonly isCut: boolean;
  readonly choosing: ChoosingModel;
  readonly tookMs: number;
}

/** Steps of an investigation, in order. */
export type InvestigationStep =
  | { readonly step: 'begin'; readonly groupId: string; readonly text: string }
  | { readonly step: 'hypothesis'; readonly hypothesis: CauseHypothesis; readonly hit: GroupScene['hit'] }
  | { readonly step: 'check'; readonly check: CheckMade }
  | { readonly step: 'end'; readonly investigation: Investigation };

/** Bounds confidence, so that every check can still change it. */
const LEAST = 0.01;
const MOST = 0.99;

export const bounded = (confidence: number): number => Math.min(MOST, Math.max(LEAST, confidence));

/** The confidence after evidence of this weight (logarithm of odds). */
export const weighed = (confidence: number, weight: number): number => {
  const before = bounded(confidence);
  const odds = Math.log(before / (1 - before)) + weight;
  return bounded(1 / (1 + Math.exp(-odds)));
};

/** A check that can be run. */
export interface PlannedCheck {
  readonly hypothesis: string;
  readonly check: InvestigationCheck;
}

/** Order of the rules: every check of the first hypothesis, then of the next. */
export const plannedChecks = (hypotheses: readonly Pick<CauseHypothesis, 'id'>[]): PlannedCheck[] =>
  hypotheses.flatMap(({ id }) => INVESTIGATION_CHECKS.map((check) => ({ hypothesis: id, check })));

/** Name for a model: `H1 history`. */
export const nameOfCheck = ({ hypothesis, check }: PlannedCheck): string => `${hypothesis} ${check}`;
