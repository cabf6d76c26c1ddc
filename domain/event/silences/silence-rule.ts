import type { Actor, Severity, Suppression } from '#domain/event/event.ts';
import { holding, type Recurrence } from './recurrence.ts';

export const LABEL_OPERATORS = ['=', '!=', '=~', '!~'] as const;

/** A condition on a label: its value, or an RE2 expression that the whole value matches. An absent label is empty. */
export interface LabelMatcher {
  readonly name: string;
  readonly op: (typeof LABEL_OPERATORS)[number];
  readonly value: string;
}

/** Selects the events of a silence: all given parts must hold, and at least one is given. */
export interface SilenceMatcher {
  readonly source?: string;
  /** One of them. */
  readonly severity?: readonly Severity[];
  /** Patterns with `*` and `?`, separated by commas, one of which the host name matches; of an event without one, the name of its CI. */
  readonly host?: string;
  /** Service or application, regardless of case. */
  readonly service?: string;
  readonly environment?: string;
  readonly tag?: string;
  /** All of them must hold. */
  readonly labels?: readonly LabelMatcher[];
  /** Words in the title, in any order. */
  readonly title?: string;
  readonly ciId?: string;
  /** Any of these CIs; not together with `ciId`. */
  readonly ciIds?: readonly string[];
  readonly ciType?: string;
  /** Id of a CI: selects it and the CIs that its failure affects when the event arrives. */
  readonly below?: string;
}

/** Ids of the CIs that it names without their impact. */
export const ownCisOf = ({ ciId, ciIds = [] }: SilenceMatcher): readonly string[] => (ciId ? [ciId] : ciIds);

/** A silence created by a user. Times in ms; it holds from `startsAt` until before `endsAt`. */
export interface SilenceRule {
  /** ULID; shown with the prefix `SIL-`. */
  readonly id: string;
  readonly matcher: SilenceMatcher;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Absent: it holds all the time. */
  readonly recurrence?: Recurrence;
  readonly reason: string;
  readonly createdBy: Actor;
  /** Name that another program sent for its user. */
  readonly author?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const SILENCE_STATES = ['active', 'planned', 'past'] as const;
export type SilenceState = (typeof SILENCE_STATES)[number];

/** A recurring silence is planned between its windows. */
export const silenceState = (
  rule: Pick<SilenceRule, 'startsAt' | 'endsAt' | 'recurrence'>,
  now: number,
): SilenceState => (now >= rule.endsAt ? 'past' : holding(rule)(now) === null ? 'planned' : 'active');

const PREFIX = 'SIL-';
export const silenceName = (id: string): string => PREFIX + id;
/** The id behind a name, with or without its prefix. */
export const silenceId = (text: string): string => (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);

const MAINTENANCE = 'maintenance:';
/** The name of the maintenance of a CI among silences. */
export const maintenanceName = (ciId: string): string => MAINTENANCE + ciId;
/** The CI whose maintenance it is; null for a silence. */
export const maintainedCi = (by: string): string | null =>
  by.startsWith(MAINTENANCE) ? by.slice(MAINTENANCE.length) : null;

const MANUAL = 'manual:';
/** A user's suppression with an end, ms. */
export const manualSuppression = (until: number): Suppression => ({
  by: MANUAL + new Date(until).toISOString(),
  until,
});
/** Its end, ms; null for a silence or a maintenance. */
export const manualEnd = (by: string): number | null =>
  by.startsWith(MANUAL) ? Date.parse(by.slice(MANUAL.length)) : null;
