import type {
  Actor,
  AiAnalysis,
  BusinessImpact,
  CiRef,
  Event,
  EventBefore,
  ResolutionCategory,
  Severity,
  Silencing,
  Status,
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
  /** The sender gave no time: `timestamp` is that of receipt. */
  readonly untimed?: true;
  /** `timestamp` is when it began, whenever that is said: it lasts at the time of receipt. */
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
  /** News of what is open, not counted. */
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
  /** `suppressed` or `acknowledged` when the sender says so from the start; else open. */
  readonly status?: Status;
  /** The silence that suppressed it at its arrival. */
  readonly silencing?: Silencing;
}

/** Which open event a monitor's message is about: by condition, else by the source's own id. */
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

/** Why an event that nothing was heard of is over, as it stood when that was found. */
export interface Silence {
  /** When it was last heard of, ms: when it was heard of since, it stays. */
  readonly heard: number;
  readonly category: ResolutionCategory;
  readonly notes: string;
}

/** The request of a person, for its entry in the audit trail. */
export interface Trail {
  /** Id of the entry, minted with the request. */
  readonly id: string;
  readonly address: string;
  readonly department: string | null;
  /** When it may go, ms. */
  readonly expiresAt: number;
}

/** A person takes events out of a group. */
export interface Parting {
  /** ULID minted with the request. */
  readonly id: string;
  /** The group that they leave. */
  readonly from: string;
  readonly eventIds: readonly string[];
  readonly reason: string;
  /** A merge is taken back: the id of the group that they were, and the names that this had. */
  readonly restores?: readonly string[];
}

/** The person who did it, and the time of receipt in ms. */
export interface ByHand {
  readonly by: Actor;
  readonly at: number;
  readonly trail: Trail;
}

/** Whom an event is given to; absent: that stays, null: no one. */
export interface Assignment {
  readonly assignedTo?: { readonly user: Actor | null };
  readonly assignedTeam?: { readonly team: Team | null };
}

/** A part of what a person does to several groups at once, and to events in none. */
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
      /** The sender gave no time: `at` is that of receipt. */
      readonly untimed?: true;
      readonly maxBehindMs?: number;
      readonly notes?: string;
    } & EventReference)
  | ({
      /** Monitor-side acknowledgement and its withdrawal, downtime start, downtime end. */
      readonly kind: 'acknowledged' | 'unacknowledged' | 'suppressed' | 'unsuppressed';
      readonly at: number;
      readonly notes?: string;
      readonly author?: string;
      /** The problem as the message tells it, which begins with it where it is not known. */
      readonly occurrence?: Occurrence;
    } & EventReference)
  | ({
      readonly kind: 'status-set';
      readonly eventId: string;
      readonly status: Status;
      readonly by: Actor;
      readonly notes?: string;
      readonly category?: ResolutionCategory;
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
      /** Another group than before: the event returned after its group had closed, or took the place of another event. */
      readonly moves?: boolean;
      /** It has left the group that is named and is in none. */
      readonly leaves?: boolean;
    }
  | {
      readonly kind: 'related';
      readonly eventId: string;
      readonly links: readonly Link[];
      /** Set by hand: guards do not apply. */
      readonly manual: boolean;
      readonly by: Actor | null;
      readonly notes?: string;
      readonly trail?: Trail;
      /** Takes events apart instead. */
      readonly apart?: Parting;
    }
  | {
      readonly kind: 'bound';
      readonly eventId: string;
      readonly ci: CiRef;
      /** Its impact on the services of the CI; an event with an impact of its own keeps that. */
      readonly businessImpact?: BusinessImpact;
    }
  /** The CI of the event has got a relationship: it arrives again, with the surroundings that it has now. */
  | { readonly kind: 'rewired'; readonly eventId: string }
  | { readonly kind: 'analysed'; readonly eventId: string; readonly analysis: AiAnalysis }
  | {
      readonly kind: 'expired';
      readonly eventId: string;
      /** Absent: its index is due, and it is resolved whatever was heard of it. */
      readonly silence?: Silence;
    }
  /** Its silence is over: the event is open again, unless another one (`next`) suppresses it. */
  | { readonly kind: 'unsilenced'; readonly eventId: string; readonly by: string; readonly next?: Silencing }
  /** The tenant is deleted: every owner drops what it remembers of it. Answered by merge, when nothing before it is on its way. */
  | { readonly kind: 'forgotten' };

export interface Incoming {
  readonly ask: Ask;
  /** When the API received it, in ms. */
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
      /** The time that the sender gave cannot be believed. */
      readonly skewed?: true;
      /** The silence or the maintenance that keeps the event suppressed. */
      readonly suppressedBy?: string;
    }
  | {
      readonly ok: false;
      readonly fault: 'invalid' | 'not-found' | 'conflict' | 'internal';
      readonly message: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };

/**
 * Why an event arrives once more: its severity or signature changed (`escalated`), it takes the place of another (`supersedes`), its
 * monitor names it again after the largest window (`returned`), or it is open again (`opened`).
 */
const AGAIN = ['escalated', 'supersedes', 'returned', 'opened'] as const;
export type Again = (typeof AGAIN)[number];

/** The event as it stood after the record, and what happened. */
export interface SavedEvent {
  readonly happened: 'created' | 'repeated' | 'changed' | 'assigned' | 'related' | 'bound';
  readonly event: Event;
  /** Whenever the status changed. */
  readonly previousStatus?: Status;
  readonly again?: Again;
  /** The group that it was in before it became a member of another one. */
  readonly left?: string;
  readonly receivedAt: number;
  /** For `related`. */
  readonly links?: readonly Link[];
  readonly manual?: boolean;
  readonly apart?: Parting;
  readonly hand?: ByHand;
}

/** Topic `events.saved`. */
export type Saved = SavedEvent | { readonly happened: 'forgotten'; readonly receivedAt: number };
