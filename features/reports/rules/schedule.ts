import type { Actor } from '#domain/event/event.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import type { ReportDelivery } from '#features/reports/rules/report.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';

/** Record kind in the system tenant, so that one list finds all schedules; id: tenant, slash, schedule ID. */
export const REPORT_SCHEDULE = 'report-schedule';
export const MAX_SCHEDULES = 20;
export const SCHEDULE_PERIODS = ['day', 'week', 'month'] as const;

/** Period and time of day of a schedule. */
export interface ScheduleTimes {
  readonly every: (typeof SCHEDULE_PERIODS)[number];
  /** Time of day in `zone`. */
  readonly hour: number;
  readonly minute: number;
  /** Day of weekly schedules; Monday is 1. */
  readonly weekday: number;
  /** IANA name. */
  readonly zone: string;
}

/** A report generated periodically. Times are ms. */
export interface ReportSchedule extends ScheduleTimes {
  readonly tenant: string;
  /** ULID. */
  readonly id: string;
  readonly template: TemplateId;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly format: DocumentFormat;
  readonly delivery: ReportDelivery;
  readonly shared: boolean;
  readonly category: string;
  readonly by: Actor;
  readonly createdAt: number;
  readonly nextAt: number;
  readonly lastReportId: string | null;
  readonly lastError: string | null;
}

export const scheduleKey = ({ tenant, id }: Pick<ReportSchedule, 'tenant' | 'id'>): string => `${tenant}/${id}`;

/** Returns the next time after this one, ms. Weekly schedules run on `weekday`, monthly ones on the first day. */
export const nextRun = ({ every, hour, minute, weekday, zone }: ScheduleTimes, after: number): number => {
  const calendar = calendarOf(zone);
  const begin = calendar.startOf(every, after);
  for (let period = 0; ; period++) {
    const { year, month, day } = calendar.shown(calendar.add(begin, period, every));
    const at = calendar.at(year, month, day + (every === 'week' ? weekday - 1 : 0), hour, minute);
    if (at > after) return at;
  }
};
