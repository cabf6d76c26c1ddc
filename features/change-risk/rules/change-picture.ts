import { CRITICALITIES, type Criticality } from '#domain/event/business-impact.ts';
import type { Event } from '#domain/event/event.ts';
import type { Service } from '#domain/services/service.ts';
import type { TimeSpan } from '#domain/topology/maintenance-window.ts';
import type { Ci, Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import type { ChangeType } from './change-type.ts';
import type { HolidayDates, LocalTime } from './local-time.ts';
import type { EarlierChange } from './risk.ts';

export interface ServiceAtRisk {
  readonly service: Service;
  readonly impact: 'full_outage' | 'degraded_functionality';
}

/** Another planned change at the same time, near by. */
export interface Conflict {
  readonly assessmentId: string;
  readonly ciId: string;
  readonly name: string;
  readonly changeType: string;
  /** ms. */
  readonly plannedAt: number;
  readonly reason: 'same_ci' | 'within_two_hops' | 'common_service';
}

/** Planned time of a change, in local time. */
interface PlannedTime {
  readonly span: TimeSpan;
  readonly local: LocalTime;
  readonly holidays: HolidayDates;
  readonly zone: string;
}

/** Events of the CI and of its dependants. */
interface ChangeEvents {
  /** Severe open ones on the CI. */
  readonly open: readonly Event[];
  /** Severe ones on the CI within 400 days, newest first. */
  readonly incidents: readonly Event[];
  readonly earlier: readonly EarlierChange[];
}

/** A CI that would have to stand in during the change, and why it cannot, or may not be able to. */
export interface Partner extends NamedCi {
  readonly why: 'event' | 'maintenance' | 'change';
  readonly event?: Event;
}

export interface ChangeState {
  readonly partnersDown: readonly Partner[];
  /** They run, but their failover is in doubt. */
  readonly doubtful: readonly Partner[];
  /** CIs that are down on which the CI itself depends redundantly, so that it runs on its last required ones. */
  readonly lastOnes: readonly Partner[];
  readonly isStopped: boolean;
}

/** All that rules look at when they judge a change. */
export interface ChangePicture {
  readonly ci: Ci;
  readonly criticality: Criticality;
  /** Change type as entered, and as recognized; null: unknown. */
  readonly said: string;
  readonly type: ChangeType | null;
  readonly planned: PlannedTime | null;
  readonly durationMs: number | null;
  /** The CI's maintenance window; null when it names none. */
  readonly window: TimeSpan | null;
  readonly impact: Impact;
  readonly state: ChangeState;
  /** CIs of the tenant. */
  readonly all: number;
  readonly services: readonly ServiceAtRisk[];
  readonly upstream: readonly NamedCi[];
  readonly conflicts: readonly Conflict[];
  /** Null: the caller may not read events. */
  readonly events: ChangeEvents | null;
}

const MISSION = /^(?:mission|business)[ _-]?critical$/;

/** Criticality of the CI itself, else of the most critical service that it is a component of, else medium. */
export function criticalityOf({ attributes, customFields }: Ci, services: readonly Service[]): Criticality {
  const said = String(customFields.criticality ?? attributes.criticality ?? '')
    .trim()
    .toLowerCase();
  const word = CRITICALITIES.find((one) => one === said);
  if (word !== undefined) return word;
  if (MISSION.test(said)) return 'critical';
  return CRITICALITIES.find((one) => services.some(({ criticality }) => criticality === one)) ?? 'medium';
}
