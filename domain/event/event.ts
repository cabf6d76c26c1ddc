/**
 * The event: one record per problem of one system, updated by every further occurrence. Times are epoch milliseconds.
 */

import type { BindingMethod } from './binding.ts';

export const SEVERITIES = ['critical', 'major', 'minor', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const STATUSES = ['open', 'acknowledged', 'resolved', 'suppressed'] as const;
export type Status = (typeof STATUSES)[number];

export const RESOLUTION_CATEGORIES = [
  'auto-resolved',
  'manual-fix',
  'false-positive',
  'duplicate',
  'no-action-needed',
] as const;
export type ResolutionCategory = (typeof RESOLUTION_CATEGORIES)[number];

/** Rank for sorting and comparison: critical is 4, info is 0. */
export const severityRank = (severity: Severity): number => SEVERITIES.length - 1 - SEVERITIES.indexOf(severity);

export function severityOfRank(rank: number): Severity {
  const severity = SEVERITIES[SEVERITIES.length - 1 - rank];
  if (severity === undefined) throw new RangeError(`There is no severity of rank ${rank}`);
  return severity;
}
export const isSevere = (severity: Severity): boolean => severity === 'critical' || severity === 'major';

export interface Actor {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

export interface Team {
  readonly id: string;
  readonly name: string;
}

export interface CiRef {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Method by which the event was bound. */
  readonly method?: BindingMethod;
}

/** A change of status, severity or assignment; stored permanently with the event. */
export interface HistoryEntry {
  readonly at: number;
  /** Null when a monitor or a rule made the change. */
  readonly by: Actor | null;
  readonly from: Status | null;
  readonly to: Status;
  readonly severity?: { readonly from: Severity; readonly to: Severity };
  /** Null: from or to unassigned. */
  readonly assignedTo?: { readonly from: Actor | null; readonly to: Actor | null };
  readonly assignedTeam?: { readonly from: Team | null; readonly to: Team | null };
  readonly notes?: string;
  /** Position of the record that made the change. */
  readonly position: number;
}

/**
 * A condition that has not ended: one that a monitor declared, or a sourceId of plain ingest. The only condition of an
 * event may omit fields equal to those of the event.
 */
export interface Condition {
  /** Id; for plain ingest `source#sourceId`. */
  readonly id: string;
  /** Absent: that of the event. */
  readonly source?: string;
  /** Position of the record that opened it. */
  readonly position: number;
  readonly plain?: true;
  /** Event time of its first occurrence, ms. */
  readonly since?: number;
  /** Event time of its newest start, ms; absent: that of the event's last occurrence. */
  readonly last?: number;
  readonly title?: string;
  readonly description?: string;
  readonly severity?: Severity;
  readonly sourceId?: string;
  /** Tags of its newest message. */
  readonly tags?: readonly string[];
}

/** Recent occurrences of an identity: bit i of `bits` is bin `bin − i`; bins are 10 minutes of event time. */
export interface Recency {
  readonly bin: number;
  readonly bits: number;
}

export interface BusinessImpact {
  readonly level: string;
  readonly affectedServices: readonly { readonly id: string; readonly name: string; readonly criticality: string }[];
  readonly affectedUsers: string | null;
}

/** The evidence of a sentence of an analysis. */
export interface AnalysisCitation {
  /** Alias that sentences name: E1, C1, G1. */
  readonly ref: string;
  readonly kind: 'event' | 'ci' | 'relationship' | 'group' | 'service' | 'query' | 'record';
  readonly id: string;
  readonly label: string;
  /** Relative link. */
  readonly href: string;
}

/** The past that the anomaly score was reckoned from. */
interface AnalysisHistory {
  readonly text: string;
  /** Earlier events with this problem, and runs of them, in `days` before the event. */
  readonly events: number;
  readonly episodes: number;
  readonly days: number;
}

/** Analysis of an event, or with `correlationId` of a whole group. Optional fields were added later. */
export interface AiAnalysis {
  readonly anomalyScore: number;
  readonly rootCauseHypothesis: string;
  readonly relatedEvents: readonly string[];
  readonly recommendedActions: readonly string[];
  readonly generatedAt: number;
  readonly generatedBy: 'rules' | 'model';
  readonly model?: string;
  readonly ciId?: string;
  readonly correlationId?: string;
  /** Confidence of the hypothesis, 0 to 1; 0 when no cause is named. */
  readonly confidence?: number;
  readonly abstained?: boolean;
  /** Reason why no model contributed although one was asked. */
  readonly degraded?: string;
  /** Reasons against the group of the event. */
  readonly warnings?: readonly string[];
  readonly history?: AnalysisHistory;
  readonly citations?: readonly AnalysisCitation[];
  /** The citations of each sentence, by their `ref`. */
  readonly refs?: {
    readonly history: readonly string[];
    readonly hypothesis: readonly string[];
    /** References in the order of the actions. */
    readonly actions: readonly (readonly string[])[];
    readonly warnings?: readonly (readonly string[])[];
  };
  /** Certainty of the history, the hypothesis, each warning, then each action. */
  readonly certainties?: readonly ('fact' | 'likely' | 'possible')[];
}

/** The silence or maintenance that suppresses an event, or suppressed it last. */
export interface Suppression {
  /** `SIL-` and a ULID: a silence; `maintenance:` and the id of a CI: its maintenance; `manual:` and a time: a user. */
  readonly by: string;
  /** End as it was known when the event was suppressed, ms; absent: not set. */
  readonly until?: number;
  /**
   * It has ended. Else an event that is not suppressed any more was opened by a user, and is not suppressed by it
   * again.
   */
  readonly over?: true;
}

export interface Event {
  readonly tenant: string;
  /** ULID; shown as `_id`. `eventId` is `EVT-` + id. */
  readonly id: string;
  readonly source: string;
  readonly sourceId: string;
  readonly severity: Severity;
  readonly status: Status;
  readonly title: string;
  readonly description?: string;
  readonly category?: string;
  /** Event time as it is used; see `reportedTimestamp`. */
  readonly timestamp: number;
  /** The time of the sender when it cannot be believed: `timestamp` is that of receipt. */
  readonly reportedTimestamp?: number;
  readonly hostname?: string;
  readonly ipAddress?: string;
  readonly service?: string;
  readonly application?: string;
  readonly environment?: string;
  readonly ci: CiRef | null;
  /** Key of deduplication: hash of system and problem, without the CI type. */
  readonly identity: string;
  /** Hash of the problem without the host; shown as correlationSignature. */
  readonly signature: string;
  readonly conditions: readonly Condition[];
  readonly count: number;
  readonly firstOccurrence: number;
  readonly lastOccurrence: number;
  /** Id of the group as it was assigned; aliases are resolved when reading. */
  readonly correlationId: string | null;
  readonly tags: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
  readonly acknowledgedBy?: Actor;
  readonly acknowledgedAt?: number;
  readonly resolvedBy?: Actor;
  readonly resolvedAt?: number;
  readonly resolutionNotes?: string;
  readonly resolutionCategory?: ResolutionCategory;
  readonly aiAnalysis?: AiAnalysis;
  readonly businessImpact?: BusinessImpact;
  readonly history: readonly HistoryEntry[];
  /** Id of the event that this one superseded: the same problem with another severity. */
  readonly supersedes?: string;
  /** Id of the event that superseded this one. */
  readonly supersededBy?: string;
  /** Start of the problem of a superseding event, ms. */
  readonly problemSince?: number;
  readonly silencing?: Suppression;
  /** Number of times its condition had returned within an hour of its end when this event began. */
  readonly returns?: number;
  /** True when this problem was present most of the last four hours: neither candidate nor counted as a member CI. */
  readonly usual: boolean;
  readonly seen: Recency;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Position of the record that created the event, and of the last that changed it (the fence). */
  readonly createdPosition: number;
  readonly position: number;
}

/** The user-set part of an event and its dependent fields before a change, so that they can be restored. */
export type EventBefore = Pick<
  Event,
  | ('id' | 'status' | 'conditions' | 'silencing' | 'assignedTo' | 'assignedTeam')
  | ('acknowledgedBy' | 'acknowledgedAt' | 'resolvedBy' | 'resolvedAt' | 'resolutionNotes' | 'resolutionCategory')
>;

const EVENT_ID_PREFIX = 'EVT-';
export const eventIdOf = (id: string): string => EVENT_ID_PREFIX + id;

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Returns the storage id for a caller's id, with or without prefix; null when it can be no event id. */
export const parseEventId = (text: string): string | null => {
  const id = text.startsWith(EVENT_ID_PREFIX) ? text.slice(EVENT_ID_PREFIX.length) : text;
  return ULID.test(id) ? id : null;
};
