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

/** When a change is planned, as people there see it. */
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

/** All that rules look at when they judge a change. */
export interface ChangePicture {
  readonly ci: Ci;
  readonly criticality: Criticality;
  /** As the caller called it, and what it is; null: nothing that is known. */
  readonly said: string;
  readonly type: ChangeType | null;
  readonly planned: PlannedTime | null;
  readonly durationMs: number | null;
  /** The CI's maintenance window; null when it names none. */
  readonly window: TimeSpan | null;
  readonly impact: Impact;
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
