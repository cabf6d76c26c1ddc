import type { Candidate } from '#domain/correlation/records.ts';
import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import type { ComplaintKind } from '#domain/event/complaints/kind.ts';
import type { CiRef, Event } from '#domain/event/event.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import type { AnomalyScore } from './anomaly-score.ts';

/** An event on the CI of another one, or above it. */
export interface Above {
  readonly event: Event;
  /** 0 on the CI itself. */
  readonly hops: number;
}

/** The group of an event. */
export interface GroupFacts {
  readonly id: string;
  readonly size: number;
  readonly candidate: Candidate | null;
  /** The candidate and the two next, as far as they are stored. */
  readonly suspects: readonly Event[];
  /** The CI of a candidate without an event of its own: its instances report the problem. */
  readonly whole?: CiRef;
  /** The nearest CIs that the candidate explains, limited to the number that a sentence cites. */
  readonly explained: readonly CiRef[];
  /** Nothing but nearness in time joins the event with others, and the candidate does not explain its CI. */
  readonly byTimeAlone: boolean;
  /** True if the first event arrived while background rates were being learned, so the group may be too large. */
  readonly isLearning: boolean;
}

export interface JudgedCause {
  readonly by: string;
  /** ms. */
  readonly at: number;
  readonly isRight: boolean;
  /** The member that was the cause; null: only that it was not the candidate. */
  readonly root: Event | null;
  readonly note: string | null;
}

export interface LearnedCause {
  readonly event: Event;
  /** Groups that were judged so. */
  readonly verdicts: number;
}

/** All that is known of one event when it is analysed. */
export interface Case {
  readonly event: Event;
  readonly complaint: ProblemKind;
  readonly kind: ComplaintKind;
  readonly isUsual: boolean;
  readonly judged: JudgedCause | null;
  readonly lesson: CauseLesson | null;
  /** A member of its group that is of a kind that users set as the cause where the score had one of the candidate's kind. */
  readonly learned: LearnedCause | null;
  readonly runbook: string | null;
  /** Current state; null: none. */
  readonly ci: CiRef | null;
  readonly hasRelationships: boolean;
  readonly strangeness: AnomalyScore;
  readonly score: number;
  readonly group: GroupFacts | null;
  /** Changes at most 60 min before it, the nearest first. */
  readonly changes: readonly Above[];
  /** Older events that are not over, upstream, the nearest first. */
  readonly upstream: readonly Above[];
  /** Ids of linked events, the best link first. */
  readonly related: readonly string[];
  /** The last events of its signature that were resolved, newest first. */
  readonly resolved: readonly Event[];
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
}
