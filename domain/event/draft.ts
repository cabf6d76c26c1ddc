import type { Actor, BusinessImpact, Severity, Status, Team } from './event.ts';

/** One problem of a sender, before it has a CI, identity and signature. Times in ms. */
export interface EventDraft {
  readonly source: string;
  readonly sourceId: string;
  readonly severity: Severity;
  readonly title: string;
  readonly description?: string;
  readonly category?: string;
  /** Absent: the time of receipt. */
  readonly timestamp?: number;
  /** `timestamp` is when it began, in every message of it. */
  readonly ongoing?: true;
  readonly hostname?: string;
  readonly ipAddress?: string;
  readonly service?: string;
  readonly application?: string;
  readonly environment?: string;
  readonly ciId?: string;
  /** Further names under which the CI may be known, best first: ARM ids, ARNs, instance names. */
  readonly ciHints?: readonly string[];
  readonly tags?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
  readonly businessImpact?: BusinessImpact;
  readonly status?: Exclude<Status, 'resolved'>;
}

/** A problem as a message reports it. */
interface ReportedProblem {
  readonly draft: EventDraft;
  readonly conditionId: string | null;
  /** Not from a monitor's webhook: the sourceId is the condition. */
  readonly plain?: true;
  readonly deliveryId?: string;
}

/** The request of one item of a monitor's message. `conditionId` is equal on fire and recovery. */
export type MonitorAction =
  | (ReportedProblem & { readonly action: 'open' })
  /** Update of an open event, not an occurrence; it opens an unknown one. */
  | (ReportedProblem & { readonly action: 'update' })
  | {
      readonly action: 'resolve' | 'acknowledge' | 'unacknowledge' | 'suppress' | 'unsuppress';
      readonly source: string;
      readonly sourceId: string;
      readonly conditionId: string | null;
      /** Absent: the time of receipt. */
      readonly at?: number;
      readonly notes?: string;
      readonly author?: string;
      /** Set if the message reports the problem itself, which is opened when it is unknown. */
      readonly draft?: EventDraft;
      readonly deliveryId?: string;
    }
  | { readonly action: 'confirm'; readonly sourceId: string; readonly url: string }
  | { readonly action: 'ignore'; readonly sourceId: string | null; readonly reason: string };
