import type { Severity } from '#domain/event/event.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';
import type { Again, ByHand, Link, Parting } from '#domain/event/incoming.ts';
import type { NearCi, Surroundings } from '#domain/topology/near.ts';
import type { CorrelationSettings, Profile, StrategySettings } from './settings.ts';

/** Settings of a strategy as enrich writes them into a record: `auto` is resolved. */
export interface ResolvedStrategySettings extends StrategySettings {
  readonly windowMs: number;
}

export type ResolvedSettings = Omit<CorrelationSettings, 'strategies'> & {
  readonly strategies: Readonly<Record<string, ResolvedStrategySettings>>;
};

/**
 * How common events with the title pattern of an arrival are on CIs of its type, all hosts together: 0 in at most 1 of the last
 * 24 bins, 1 in at most 6, 2 in more.
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
  /** Normalised system name; equal systems do not make a pattern. */
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
  readonly complaint: Complaint;
  /** Hash of title pattern and type of the CI. */
  readonly template?: string;
  /** Absent: it counts as common. */
  readonly commonness?: Commonness;
  /** Its sender. */
  readonly source?: string;
  /** How often its sender looks, ms: within one look all may have happened at once. Absent: it speaks at any time. */
  readonly rhythm?: number;
  /** A second arrival of its event: replaces what windows and groups have of it, and is not counted in rates. */
  readonly rebound: boolean;
  /** Why it came again; absent on a first arrival, and when it was bound to a CI or its CI got relationships. */
  readonly again?: Again;
  /** The event whose place it takes in windows and groups. */
  readonly supersedes?: string;
}

/** An event ended, or is on again, `at` an event time in ms. */
export interface Turn {
  readonly kind: 'ended' | 'returned';
  readonly eventId: string;
  readonly at: number;
}

/** Chance rates per ms of event time; all zero in a quiet tenant. */
export interface Rates {
  readonly quiet: boolean;
  readonly tenant: number;
  /** Of the tenant's events that were of commonness 0 or 1 when they came, and of 0; absent in a quiet tenant. */
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
  /** Behind the watermark by more than the lateness, or over before it came: saved and counted, correlated on demand only. */
  readonly late: boolean;
  /** No arrival, but a turn in the life of an event that arrived before; all else of the record is empty then. */
  readonly turn?: Turn;
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
      readonly settings: ResolvedSettings;
      /** The tenant was quiet when it came. */
      readonly quiet?: boolean;
      /** Present when links were found on demand or set by hand; waits for no strategy. */
      readonly links?: readonly Link[];
      readonly manual?: boolean;
      readonly apart?: Parting;
      readonly hand?: ByHand;
      /** No strategy looks at it, so it waits for none. */
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
  | Turn
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

/** A person took `left` out of the group `from`: they are never joined with what `stayed` again, but by hand. */
export interface Apart {
  readonly id: string;
  readonly from: string;
  readonly left: readonly string[];
  readonly stayed: readonly string[];
  /** They are the group again that they were before a merge: its id, and the names that it had. */
  readonly restores?: readonly string[];
}

/** Events that a person has put together again: of the split `id`, these of each side. */
export interface Reunion {
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
  readonly apart?: Apart;
  readonly reunited?: readonly Reunion[];
  /** The event whose place the arrival takes, and whose side of earlier splits is its own then. */
  readonly heirOf?: string;
  /** Whose scores decided. */
  readonly profile?: Profile;
}

/** The part of a decision that changed groups: from these alone a group can be rebuilt. */
export type Outcome = Omit<Decision, 'accepted' | 'refused' | 'refusedBeyond' | 'cut' | 'profile' | 'hand'>;

export interface Candidate {
  readonly eventId: string;
  readonly ciId: string | null;
  readonly score: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasoning:
    | 'earliest_severe_event_upstream_dependency'
    | 'upstream_dependency'
    | 'earliest_severe_event'
    | 'earliest_event';
  readonly explains: readonly { readonly ciId: string; readonly hops: number }[];
  /** How many CIs it explains, when that is more than are listed. */
  readonly explained?: number;
  readonly alternatives: readonly { readonly eventId: string; readonly score: number }[];
}

/** A correlation group; its members are the events whose correlationId is its id or one of its aliases. */
export interface Group {
  readonly tenant: string;
  readonly id: string;
  readonly aliases: readonly string[];
  readonly status: 'open' | 'closed' | 'merged';
  /** Set when merged: the id that stands for it now. */
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
  /** How many members arrived in each of 24 equal steps from `first` to `last`; absent: not counted. */
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
