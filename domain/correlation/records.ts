import type { Severity } from '#domain/event/event.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import type { Again, ByHand, Link, SplitRequestRecord } from '#domain/event/incoming.ts';
import type { NearCi, Surroundings, WholeCi } from '#domain/topology/near.ts';
import type { CorrelationSettings, Profile, StrategySettings } from './settings.ts';

/** Settings of a strategy as enrich writes them into a record: `auto` is resolved. */
export interface ResolvedStrategySettings extends StrategySettings {
  readonly windowMs: number;
}

export type ResolvedSettings = Omit<CorrelationSettings, 'strategies'> & {
  readonly strategies: Readonly<Record<string, ResolvedStrategySettings>>;
};

/**
 * Commonness of the title pattern of an arrival on CIs of its type, over all hosts: 0 in at most 1 of the last 24 bins,
 * 1 in at most 6, 2 in more.
 */
export type Commonness = 0 | 1 | 2;

/** All that scoring needs of a partner; windows keep nothing else. */
export interface Arrival {
  readonly tenant: string;
  /** Position of the incoming record. */
  readonly position: number;
  /** ULID of the event. */
  readonly eventId: string;
  /** Event time, ms. */
  readonly time: number;
  readonly severity: Severity;
  readonly signature: string;
  readonly identity: string;
  /** Normalized system name; equal systems do not make a pattern. */
  readonly system: string;
  /** Lower-case service, application and business service names, without repeats. */
  readonly services: readonly string[];
  readonly ciId: string | null;
  readonly hasRelationships: boolean;
  /** CIs at most 3 hops upstream and downstream of this CI over dependency types. */
  readonly above3: number;
  readonly below3: number;
  /** CIs at most 3 hops upstream over dependency types, nearest first. */
  readonly chain: readonly NearCi[];
  readonly suppressed: boolean;
  readonly usual: boolean;
  readonly complaint: ProblemKind;
  /** Hash of title pattern and type of the CI. */
  readonly template?: string;
  /** Absent: it counts as common. */
  readonly commonness?: Commonness;
  /** The same without the names of the CI and its service; absent where it is the same. */
  readonly problem?: string;
  /** True if its problem is a symptom that spreads to others: slowness, errors or traffic, with no resource named. */
  readonly spreads?: boolean;
  /** Earlier occurrences of the problem on its CI, fading over days; absent without a CI. */
  readonly habit?: number;
  /** Its sender. */
  readonly source?: string;
  /**
   * Polling interval of its sender, ms: all events within one poll may have happened at once. Absent: it sends at any
   * time.
   */
  readonly rhythm?: number;
  /** A second arrival of its event: replaces what windows and groups have of it, and is not counted in rates. */
  readonly rebound: boolean;
  /**
   * Reason for another arrival; absent on a first arrival, and when it was bound to a CI or its CI got relationships.
   */
  readonly again?: Again;
  /** The event that it supersedes in windows and groups. */
  readonly supersedes?: string;
}

/** An event ended, or is on again, `at` an event time in ms. */
export interface StatusTransition {
  readonly kind: 'ended' | 'returned';
  readonly eventId: string;
  readonly at: number;
}

/** Chance rates per ms of event time; all zero in a quiet tenant. */
export interface Rates {
  readonly quiet: boolean;
  readonly tenant: number;
  /**
   * Number of the tenant's events that were of commonness 0 or 1 when they arrived, and of 0; absent in a quiet tenant.
   */
  readonly uncommon?: number;
  readonly rare?: number;
  readonly signature: number;
  readonly ci: number;
  /** The highest over the arrival's services is used per shared name. */
  readonly service: Readonly<Record<string, number>>;
}

/** Topic `events.enriched`: everything after it is a pure function of records. */
export interface Enriched extends Surroundings {
  readonly arrival: Arrival;
  readonly rates: Rates;
  readonly settings: ResolvedSettings;
  /**
   * True if it is behind the watermark by more than the lateness, or was over before it arrived: saved and counted,
   * correlated on demand only.
   */
  readonly late: boolean;
  /** No arrival, but a turn in the life of an event that arrived before; all else of the record is empty then. */
  readonly turn?: StatusTransition;
}

/** One strategy's finding about the arrival and one partner. */
export interface Hit {
  readonly other: string;
  readonly score: number;
  readonly literalScore: number;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Topic `correlation.hits`. */
export type CorrelationInput =
  | {
      readonly kind: 'facts';
      readonly arrival: Arrival;
      readonly upstream: readonly NearCi[];
      readonly wholes?: readonly WholeCi[];
      readonly settings: ResolvedSettings;
      /** True if the tenant was quiet when it arrived. */
      readonly quiet?: boolean;
      /** Present when links were found on demand or set manually; waits for no strategy. */
      readonly links?: readonly Link[];
      readonly manual?: boolean;
      readonly apart?: SplitRequestRecord;
      readonly hand?: ByHand;
      /** Strategies ignore it, so it waits for none. */
      readonly late?: boolean;
    }
  | {
      readonly kind: 'hits';
      readonly strategy: string;
      readonly eventId: string;
      readonly hits: readonly Hit[];
      /** Candidates cut by the bounds. */
      readonly cut: number;
    }
  | { readonly kind: 'passed'; readonly strategy: string; readonly through: number }
  | StatusTransition
  /** The tenant is deleted; waits for its turn and for no strategy. */
  | { readonly kind: 'forgotten' };

export const GUARDS = [
  'apart',
  'closed',
  'ended',
  'span',
  'size',
  'temporal_reach',
  'suppressed',
  'witnesses',
  'causes',
] as const;
export type Guard = (typeof GUARDS)[number];

/** Its time in the group, and the time of its last arrival, epoch ms. */
export interface ArrivedAgain {
  readonly eventId: string;
  readonly time: number;
  readonly cameAt: number;
}

/** A user, or a root cause of their own, removed `left` from the group `from`: only a user joins them with `stayed` again. */
export interface ManualSplit {
  readonly id: string;
  readonly from: string;
  readonly left: readonly string[];
  readonly stayed: readonly string[];
  /** Remaining events with several arrivals: decisions do not contain returns after the group had closed. */
  readonly again?: readonly ArrivedAgain[];
  /** They are the group again that they were before a merge: its id, and the names that it had. */
  readonly restores?: readonly string[];
}

/** Events that a user has joined again: of the split `id`, these of each side. */
export interface ManualMerge {
  readonly id: string;
  readonly left: readonly string[];
  readonly stayed: readonly string[];
}

/** The decision of merge about one arrival; created once, never overwritten. A group can be rebuilt from its decisions. */
export interface Decision {
  readonly tenant: string;
  readonly position: number;
  readonly eventId: string;
  readonly accepted: readonly Link[];
  readonly refused: readonly (Link & { readonly guard: Guard })[];
  /** Refusals beyond the stored links, by guard: groups, each once for all its members, and events without a group. */
  readonly refusedBeyond?: Readonly<Partial<Record<Guard, readonly string[]>>>;
  /** The group the arrival is in after this decision, if any. */
  readonly groupId: string | null;
  /** Present when this decision made the group. */
  readonly founded?: { readonly eventId: string; readonly time: number };
  /** Events without a group before this decision that are in `groupId` after it. */
  readonly joined: readonly string[];
  /** Groups that became aliases of `groupId`. */
  readonly merged: readonly string[];
  /** Groups closed by the arrival's time. */
  readonly closed: readonly string[];
  /** Groups that the arrival links to its own, which too few arrivals did yet; absent: none. */
  readonly witnessed?: readonly string[];
  readonly cut: Readonly<Record<string, number>>;
  readonly manual: boolean;
  readonly hand?: Omit<ByHand, 'trail'>;
  readonly apart?: ManualSplit;
  readonly reunited?: readonly ManualMerge[];
  /** The event that the arrival supersedes; the arrival inherits its side of earlier splits. */
  readonly heirOf?: string;
  /** Profile whose scores decided. */
  readonly profile?: Profile;
}

/** The part of a decision that changed groups: from these alone a group can be rebuilt. */
export type Outcome = Omit<Decision, 'accepted' | 'refused' | 'refusedBeyond' | 'cut' | 'profile' | 'hand'>;

/**
 * Kinds of evidence for a CI: it reports a problem that others do not; or several of its parts report the same; or it
 * shows a symptom.
 */
export const EVIDENCE_KINDS = ['own', 'parts', 'symptom'] as const;

/** A problem as evidence for a candidate. */
export interface Clue {
  readonly kind: (typeof EVIDENCE_KINDS)[number];
  /** The first event that reported it; for parts, that of the part with the strongest evidence. */
  readonly eventId: string;
  readonly worth: number;
  /** Number of member CIs that report it. */
  readonly cis: number;
  /** Earlier occurrences on the CI, weighted by age. */
  readonly habit: number;
  /** Parts of the CI that report it, and all parts in the CMDB. */
  readonly parts?: { readonly saying: number; readonly all: number };
}

export interface Candidate {
  readonly eventId: string;
  readonly ciId: string | null;
  /** True if the CI is not that of the event: it has none of its own, and is named because of its parts. */
  readonly byParts?: boolean;
  readonly score: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasoning:
    | 'earliest_severe_event_upstream_dependency'
    | 'upstream_dependency'
    | 'earliest_severe_event'
    | 'earliest_event';
  readonly explains: readonly { readonly ciId: string; readonly hops: number }[];
  /** Number of CIs that it explains, when more than listed. */
  readonly explained?: number;
  /** `ciId`: of one that is named by its parts. */
  readonly alternatives: readonly { readonly eventId: string; readonly ciId?: string; readonly score: number }[];
  /**
   * Evidence of its CI as a share of the highest in the group, 0 to 1; the resulting bonus on the score; and its clues,
   * strongest first.
   */
  readonly evidence?: { readonly share: number; readonly score: number; readonly clues: readonly Clue[] };
}

/** A correlation group; its members are the events whose correlationId is its id or one of its aliases. */
export interface Group {
  readonly tenant: string;
  readonly id: string;
  readonly aliases: readonly string[];
  readonly status: 'open' | 'closed' | 'merged';
  /** Set when merged: its current id. */
  readonly mergedInto: string | null;
  readonly foundedBy: string;
  readonly foundedAt: number;
  /** Earliest and latest event time of the members. */
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly candidate: Candidate | null;
  readonly createdPosition: number;
  readonly position: number;
  /** Number of members that arrived in each of 24 equal steps from `first` to `last`; absent: not counted. */
  readonly spark?: readonly number[];
  /** Causes that were named when a batch ended, oldest first, each with the time of the member that was the latest then (ms). */
  readonly named?: readonly { readonly eventId: string; readonly at: number }[];
}

/** Topic `correlation.changes`. */
export interface GroupChange {
  /** `split`: members left it. */
  readonly kind: 'created' | 'joined' | 'merged' | 'split' | 'closed' | 'root-cause';
  readonly group: Omit<Group, 'spark' | 'named'>;
  readonly events: readonly string[];
}
