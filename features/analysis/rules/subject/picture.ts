import type { Event } from '#domain/event/event.ts';
import type { Health } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import type { Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import type { CiPicture, HitService } from '#features/insights/rules/ci-picture.ts';
import type { Analysed } from '../analysis.ts';

export const SUBJECT_KINDS = ['event', 'group', 'ci', 'service'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** The subject of an analysis. */
interface Subject {
  readonly kind: SubjectKind;
  /** As callers are shown it. */
  readonly id: string;
  readonly name: string;
}

/** How a business service does. */
interface ServiceState {
  readonly service: Service;
  readonly health: Health;
  /** Open events on its components and on what they need. */
  readonly open: number;
}

/** All that rules look at when they analyse something for somebody who asks. */
export interface SubjectPicture {
  readonly subject: Subject;
  /** Of the event that stands for it; null when nothing is open on it. */
  readonly analysed: Analysed | null;
  /** For the timeline, oldest first. */
  readonly events: readonly Event[];
  /** Events of the subject, also those that are not read. */
  readonly eventsTotal: number;
  /** CIs whose failure the impact is of; none: it is bound to no CI. */
  readonly failing: readonly NamedCi[];
  /** Null without CIs. */
  readonly impact: Impact | null;
  readonly services: readonly HitService[];
  /** Of a CI. */
  readonly ci: CiPicture | null;
  /** Of a business service. */
  readonly service: ServiceState | null;
}
