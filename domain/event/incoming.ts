import type {
  Actor,
  AiAnalysis,
  BusinessImpact,
  CiRef,
  Event,
  EventBefore,
  ResolutionCategory,
  Severity,
  Status,
  Suppression,
  Team,
} from './event.ts';

/** One arrival as the API prepares it: validated, bound to a CI, with identity and signature. Dedup reads no settings. */
export interface Occurrence {
  /** ULID for the event that this becomes if it is a new one. */
  readonly newId: string;
  readonly source: string;
  readonly sourceId: string;
  readonly severity: Severity;
  readonly title: string;
  readonly description?: string;
  readonly category?: string;
  readonly timestamp: number;
  /** The sender set no plausible time: `timestamp` is that of receipt. */
  readonly untimed?: true;
  /** `timestamp` is its start, regardless of the time of the report: it lasts at the time of receipt. */
  readonly ongoing?: true;
  readonly hostname?: string;
  readonly ipAddress?: string;
  readonly service?: string;
  readonly application?: string;
  readonly environment?: string;
  readonly ci: CiRef | null;
  readonly identity: string;
  readonly signature: string;
  /** Stable id of the condition, equal on fire and recovery; null when a monitor declares none. */
  readonly conditionId: string | null;
  /** Plain ingest: the sourceId is the condition. */
  readonly plain?: true;
  /** A change or a deployment: a moment, which does not last. */
  readonly moment?: true;
  /** Update of an open event, not counted. */
  readonly update?: true;
  readonly dedupWindowMs: number;
  /** Settings of the tenant where they are not the defaults of `dedup-settings.ts`. */
  readonly maxBehindMs?: number;
  readonly returnAfterMs?: number;
  readonly escalation?: 'same_event';
  readonly tags: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
  readonly businessImpact?: BusinessImpact;
  /** `suppressed` or `acknowledged` when the sender sets it from the start; else open. */
  readonly status?: Status;
  /** The silence that suppressed it at its arrival. */
  readonly silencing?: Suppression;
}

/** Identifies the open event of a monitor's message: by condition, else by the source's own id. */
export interface EventReference {
  readonly source: string;
  readonly sourceId: string;
  readonly conditionId: string | null;
}

/** One reason that two events belong together, as one strategy sees it. */
export interface Reason {
  readonly strategy: string;
  readonly score: number;
  readonly literalScore: number;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Link {
  /** Id of the other event. */
  readonly other: string;
  /** Final score: the maximum over strategies. */
  readonly score: number;
  readonly literalScore: number;
  readonly reasons: readonly Reason[];
}

/** Reason why an event without further messages is over, as of the time of detection. */
export interface Silence {
  /** Time of its last message, ms. The event stays open if a later one has arrived. */
  readonly heard: number;
  readonly category: ResolutionCategory;
  readonly notes: string;
}

/** Interface of a user's request, for its entry in the audit trail. */
export type RequestDoor = 'mcp';

export interface Trail {
  /** Id of the entry, minted with the request. */
  readonly id: string;
  readonly address: string;
  readonly department: string | null;
  /** Time when it may be closed, ms. */
  readonly expiresAt: number;
  /** Interface through which the request arrived, if not HTTP itself. */
  readonly via?: RequestDoor;
}

/** A user removes events from a group. */
export interface SplitRequestRecord {
  /** ULID minted with the request. */
  readonly id: string;
  /** The group that they leave. */
  readonly from: string;
  readonly eventIds: readonly string[];
  readonly reason: string;
  /** Set when a merge is undone: the id of the restored group, and its names. */
  readonly restores?: readonly string[];
}

/** The person who did it, and the time of receipt in ms. */
export interface ByHand {
  readonly by: Actor;
  readonly at: number;
  readonly trail: Trail;
}

/** New assignee; absent: unchanged, null: unassigned. */
export interface Assignment {
  readonly assignedTo?: { readonly user: Actor | null };
  readonly assignedTeam?: { readonly team: Team | null };
}

/** A part of a user operation on several groups at once, and on events in none. */
export interface Operated {
  /** ULID of the whole, by which it is undone. */
  readonly operation: string;
  /** Null: an event in no group. */
  readonly groupId: string | null;
  readonly by: Actor;
  /** The same for all parts, which have one entry in the audit trail together. */
  readonly trail: Trail;
  readonly action: string;
  /** Groups and events of all parts, as they are shown. */
  readonly subjects: readonly string[];
  /** One sentence for the history of the group. */
  readonly said: string;
}

/** Everything that can be asked of events (topic `events.incoming`). `at` is event time in ms. */
export type Ask =
  | { readonly kind: 'occurred'; readonly occurrence: Occurrence }
  | ({
      readonly kind: 'recovered';
      readonly at: number;
      /** The sender set no time: `at` is that of receipt. */
      readonly untimed?: true;
      readonly maxBehindMs?: number;
      readonly notes?: string;
    } & EventReference)
  | ({
      /** Acknowledgment at the monitor and its withdrawal, downtime start, downtime end. */
      readonly kind: 'acknowledged' | 'unacknowledged' | 'suppressed' | 'unsuppressed';
      readonly at: number;
      readonly notes?: string;
      readonly author?: string;
      /** The problem as the message reports it; it opens the event where it is unknown. */
      readonly occurrence?: Occurrence;
    } & EventReference)
  | ({
      readonly kind: 'status-set';
      readonly eventId: string;
      readonly status: Status;
      readonly by: Actor;
      readonly notes?: string;
      readonly category?: ResolutionCategory;
      /** End of a suppression, ms. */
      readonly until?: number;
      readonly trail?: Trail;
    } & Assignment)
  | ({
      /** Members of a group, or an event in none, that have one of the statuses `from`. */
      readonly kind: 'operated';
      readonly eventIds: readonly string[];
      readonly from: readonly Status[];
      /** Absent: it stays. */
      readonly status?: Status;
      readonly notes?: string;
      readonly category?: ResolutionCategory;
    } & Operated &
      Assignment)
  | ({
      /** Events without a change since the record at `setAt` are as they were before it. */
      readonly kind: 'undone';
      readonly setAt: number;
      readonly events: readonly EventBefore[];
    } & Operated)
  | {
      readonly kind: 'noted';
      readonly eventId: string;
      readonly by: Actor;
      readonly text: string;
      readonly trail?: Trail;
    }
  | {
      readonly kind: 'assigned';
      readonly eventId: string;
      readonly correlationId: string;
      /** True if the group changed: the event returned after its group had closed, or superseded another event. */
      readonly moves?: boolean;
      /** It has left the group that is named and is in none. */
      readonly leaves?: boolean;
    }
  | {
      readonly kind: 'related';
      readonly eventId: string;
      readonly links: readonly Link[];
      /** Set manually: guards do not apply. */
      readonly manual: boolean;
      readonly by: Actor | null;
      readonly notes?: string;
      readonly trail?: Trail;
      /** Splits events off instead. */
      readonly apart?: SplitRequestRecord;
    }
  | {
      readonly kind: 'bound';
      readonly eventId: string;
      readonly ci: CiRef;
      /** Its impact on the services of the CI; an event with an impact of its own retains that. */
      readonly businessImpact?: BusinessImpact;
    }
  /** The CI of the event has got a relationship: it arrives again, with the surroundings that it has now. */
  | { readonly kind: 'rewired'; readonly eventId: string }
  | { readonly kind: 'analysed'; readonly eventId: string; readonly analysis: AiAnalysis }
  | {
      readonly kind: 'expired';
      readonly eventId: string;
      /** Absent: its index is due, and it is resolved regardless of later messages. */
      readonly silence?: Silence;
    }
  /** Its silence is over: the event is open again, unless another one (`next`) suppresses it. */
  | { readonly kind: 'unsilenced'; readonly eventId: string; readonly by: string; readonly next?: Suppression }
  /**
   * The tenant is deleted: every owner drops its memory of it. Answered by merge, when no earlier record is in flight.
   */
  | { readonly kind: 'forgotten' };

export interface Incoming {
  readonly ask: Ask;
  /** Time of receipt by the API, ms. */
  readonly receivedAt: number;
  /** The sender's own id of this delivery; a known one is answered, not counted. */
  readonly deliveryId?: string;
}

/** The receipt of one record. */
export type RecordOutcome =
  | 'created'
  | 'duplicate_updated'
  | 'resolved'
  | 'acknowledged'
  | 'suppressed'
  | 'reopened'
  | 'ignored'
  | 'changed';

/** The answer to one appended record. */
export type Receipt =
  | {
      readonly ok: true;
      readonly outcome: RecordOutcome;
      /** Null when nothing was touched. */
      readonly id: string | null;
      readonly count: number;
      readonly correlationId: string | null;
      /** The sender's time is not plausible. */
      readonly skewed?: true;
      /** The silence or the maintenance that suppresses the event. */
      readonly suppressedBy?: string;
    }
  | {
      readonly ok: false;
      readonly fault: 'invalid' | 'not-found' | 'conflict' | 'internal';
      readonly message: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };

/**
 * Reason why an event arrives once more: its severity or signature changed (`escalated`), it superseded another
 * (`supersedes`), its monitor reports it again after the largest window (`returned`), or it is open again (`opened`).
 */
const AGAIN = ['escalated', 'supersedes', 'returned', 'opened'] as const;
export type Again = (typeof AGAIN)[number];

/** The event after the record, and its changes. */
export interface SavedEvent {
  readonly happened: 'created' | 'repeated' | 'changed' | 'assigned' | 'related' | 'bound';
  readonly event: Event;
  /** Whenever the status changed. */
  readonly previousStatus?: Status;
  readonly again?: Again;
  /** The group that it was in before it became a member of another one. */
  readonly left?: string;
  readonly receivedAt: number;
  /** Links for `related`. */
  readonly links?: readonly Link[];
  readonly manual?: boolean;
  readonly apart?: SplitRequestRecord;
  readonly hand?: ByHand;
}

/** Topic `events.saved`. */
export type Saved = SavedEvent | { readonly happened: 'forgotten'; readonly receivedAt: number };
