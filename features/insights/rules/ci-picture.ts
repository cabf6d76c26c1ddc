import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import type { Event } from '#domain/event/event.ts';
import type { Service } from '#domain/services/service.ts';
import type { Ci, Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';

/** Spans that are compared: one that ends now, and the one before it. */
export const SPAN_DAYS = 30;
export const DAY_MS = 86_400_000;
export const SPAN_MS = SPAN_DAYS * DAY_MS;

/** A business service that suffers when the CI fails. */
export interface HitService {
  readonly service: Service;
  readonly impact: 'full_outage' | 'degraded_functionality';
}

/** Events of a CI. */
export interface CiEvents {
  /** Open and acknowledged ones, the most severe first; at most 10. */
  readonly open: readonly Event[];
  readonly openTotal: number;
  /** Events of both spans, newest first. */
  readonly recent: readonly Event[];
  /** New events of the span that ends now, and of the one before. */
  readonly now: number;
  readonly before: number;
  readonly lessons: readonly CauseLesson[];
}

/** Input of the rules that describe a CI. */
export interface CiPicture {
  readonly ci: Ci;
  readonly at: number;
  /** Its direct dependencies, by name. */
  readonly needs: readonly NamedCi[];
  readonly impact: Impact;
  readonly services: readonly HitService[];
  /** Relationships in both directions. */
  readonly relationships: number;
  /** Null: no scan and no import has seen it. */
  readonly lastSeen: number | null;
  /** Addresses that it shares with other CIs. */
  readonly sharedAddresses: readonly string[];
  /** Null: the caller may not read events. */
  readonly events: CiEvents | null;
}
