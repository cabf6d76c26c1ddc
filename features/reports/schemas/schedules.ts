import { z } from 'zod';
import { isZone } from '#domain/texts/time-zone.ts';
import { DOCUMENT_FORMATS } from '#features/reports/rules/document/document.ts';
import { DELIVERY_METHODS } from '#features/reports/rules/report.ts';
import { type ReportSchedule, SCHEDULE_PERIODS } from '#features/reports/rules/schedule.ts';
import { TEMPLATE_IDS, TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import { IsoTime, iso, TIME_OF_DAY } from '#schemas/http/time.ts';
import { GenerateReport, parameterRules } from './reports.ts';

/** Reports generated periodically (docs/reports.md). */

const { template_id, parameters, format, delivery, shared, category } = GenerateReport.shape;

export const NewSchedule = z
  .strictObject({
    template_id,
    parameters,
    format,
    delivery,
    shared,
    category,
    every: z.enum(SCHEDULE_PERIODS),
    at: z
      .string()
      .regex(TIME_OF_DAY, 'expected a time of day such as 08:00')
      .default('08:00')
      .meta({ description: 'Time of day in time_zone' }),
    weekday: z.int().min(1).max(7).default(1).meta({ description: 'Weekly schedules: 1 (Monday) to 7' }),
    time_zone: z
      .string()
      .max(64)
      .refine(isZone, 'expected an IANA time zone, for example Europe/Berlin')
      .default('UTC')
      .meta({ pattern: '^UTC$|^Europe/Berlin$|^America/New_York$', description: 'IANA name' }),
  })
  .meta({
    id: 'NewReportSchedule',
    allOf: parameterRules,
    example: {
      template_id: 'handover',
      format: 'md',
      delivery: { method: 'webhook', recipients: [] },
      every: 'day',
      at: '08:00',
      time_zone: 'Europe/Berlin',
    },
  });
export type NewSchedule = z.output<typeof NewSchedule>;

export const ScheduleBody = z
  .object({
    schedule_id: z.string(),
    template_id: z.enum(TEMPLATE_IDS),
    name: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    format: z.enum(DOCUMENT_FORMATS),
    delivery: z.object({ method: z.enum(DELIVERY_METHODS), recipients: z.array(z.string()) }),
    shared: z.boolean(),
    category: z.string(),
    every: z.enum(SCHEDULE_PERIODS),
    at: z.string(),
    weekday: z.int(),
    time_zone: z.string(),
    created_by: z.object({ id: z.string(), username: z.string(), name: z.string() }),
    created_at: IsoTime,
    next_at: IsoTime,
    last_report_id: z.string().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'ReportSchedule' });

export const SchedulePath = z.strictObject({ id: z.string().min(1).max(255) });
export type SchedulePath = z.output<typeof SchedulePath>;

const clockText = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

export const scheduleBody = (schedule: ReportSchedule): z.output<typeof ScheduleBody> => ({
  schedule_id: schedule.id,
  template_id: schedule.template,
  name: TEMPLATES[schedule.template].name,
  parameters: schedule.parameters,
  format: schedule.format,
  delivery: { method: schedule.delivery.method, recipients: [...schedule.delivery.recipients] },
  shared: schedule.shared,
  category: schedule.category,
  every: schedule.every,
  at: clockText(schedule.hour, schedule.minute),
  weekday: schedule.weekday,
  time_zone: schedule.zone,
  created_by: { ...schedule.by },
  created_at: iso(schedule.createdAt),
  next_at: iso(schedule.nextAt),
  last_report_id: schedule.lastReportId,
  last_error: schedule.lastError,
});
