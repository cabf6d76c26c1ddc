import type { Candidate } from '#domain/correlation/records.ts';
import type { CiRef, Event } from '#domain/event/event.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';
import type { Strangeness } from './strangeness.ts';

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
  /** Of the CIs that the candidate explains the nearest, as many as a sentence cites. */
  readonly explained: readonly CiRef[];
  /** Nothing but nearness in time joins the event with others, and the candidate does not explain its CI. */
  readonly byTimeAlone: boolean;
  /** Its first event came while background rates were being learned, so it may be larger than it should. */
  readonly isLearning: boolean;
}

/** All that is known of one event when it is analysed. */
export interface Case {
  readonly event: Event;
  readonly complaint: Complaint;
  /** As it is now; null: none. */
  readonly ci: CiRef | null;
  readonly hasRelationships: boolean;
  readonly strangeness: Strangeness;
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
