import type { Event } from '#domain/event/event.ts';
import type { Health } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import type { Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import type { CiPicture, HitService } from '#features/insights/rules/ci-picture.ts';
import type { Analysed } from '../analysis.ts';
import type { SimilarIncident } from '../similar.ts';

export const SUBJECT_KINDS = ['event', 'group', 'ci', 'service'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** The subject of an analysis. */
interface Subject {
  readonly kind: SubjectKind;
  /** ID as shown to callers. */
  readonly id: string;
  readonly name: string;
}

/** State of a business service. */
interface ServiceState {
  readonly service: Service;
  readonly health: Health;
  /** Open events on its components and their dependencies. */
  readonly open: number;
}

/** Input of the rules for an analysis on request. */
export interface SubjectPicture {
  readonly subject: Subject;
  /** Analysis of the representative event; null without an open event. */
  readonly analysed: Analysed | null;
  /** Events of the timeline, oldest first. */
  readonly events: readonly Event[];
  /** All events of the subject, including those not read. */
  readonly eventsTotal: number;
  /** CIs whose failure the impact is of; none: it is bound to no CI. */
  readonly failing: readonly NamedCi[];
  /** Null without CIs. */
  readonly impact: Impact | null;
  readonly services: readonly HitService[];
  /** Set for a CI. */
  readonly ci: CiPicture | null;
  /** Set for a business service. */
  readonly service: ServiceState | null;
  /** Earlier incidents like the group of the event that stands for it, the most alike first. */
  readonly similar: readonly SimilarIncident[];
}
