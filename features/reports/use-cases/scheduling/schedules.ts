import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import {
  MAX_SCHEDULES,
  nextRun,
  REPORT_SCHEDULE,
  type ReportSchedule,
  scheduleKey,
} from '#features/reports/rules/schedule.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import type { NewSchedule } from '#features/reports/schemas/schedules.ts';
import { chosenFor } from '#features/reports/use-cases/generating/start-report.ts';

type Listing = Pick<UseCaseContext, 'ports' | 'tenant'>;

/** Schedules of the tenant, oldest first. */
const schedulesOf = async ({ ports, tenant }: Listing): Promise<ReportSchedule[]> => {
  const found = await ports.records.list<ReportSchedule>(SYSTEM_TENANT, REPORT_SCHEDULE, {
    after: `${tenant}/`,
    limit: MAX_SCHEDULES,
  });
  return found.map(({ body }) => body).filter((one) => one.tenant === tenant);
};

/** True for the owner, and for users who manage the settings. */
const maySee = ({ by }: ReportSchedule, { caller }: UseCaseContext): boolean =>
  by.id === caller.id || caller.permissions.has('settings.manage');

export const listSchedules = async (context: UseCaseContext): Promise<ReportSchedule[]> =>
  (await schedulesOf(context)).filter((one) => maySee(one, context));

const auditBody = (schedule: ReportSchedule) => {
  const { template, every, weekday, hour, minute, zone, format, delivery, shared, category } = schedule;
  return {
    template_id: template,
    every,
    weekday,
    at: `${hour}:${String(minute).padStart(2, '0')} ${zone}`,
    format,
    delivery: delivery.method,
    shared,
    category,
  };
};

type ScheduleOrigin = Pick<ReportSchedule, 'id' | 'by' | 'createdAt' | 'lastReportId'>;

/** Throws the Faults of a report requested now. */
async function scheduleOf(context: UseCaseContext, asked: NewSchedule, origin: ScheduleOrigin) {
  const { template } = await chosenFor(context, asked.template_id, asked.parameters);
  const [hour, minute] = asked.at.split(':').map(Number) as [number, number];
  const times = { every: asked.every, hour, minute, weekday: asked.weekday, zone: asked.time_zone };
  const { id, by, createdAt, lastReportId } = origin;
  const schedule: ReportSchedule = {
    ...times,
    id,
    by,
    createdAt,
    lastReportId,
    tenant: context.tenant,
    template,
    parameters: asked.parameters,
    format: asked.format,
    delivery: asked.delivery,
    shared: asked.shared,
    category: asked.category ?? TEMPLATES[template].category,
    nextAt: nextRun(times, context.receivedAt),
    lastError: null,
  };
  return schedule;
}

/** Throws the Faults of a report requested now, and `rate-limited` beyond 20 schedules per tenant. */
export async function createSchedule(context: UseCaseContext, asked: NewSchedule): Promise<ReportSchedule> {
  const { ports, receivedAt: createdAt, caller } = context;
  const origin = { id: ports.ids.ulid(), by: actorOf(caller), createdAt, lastReportId: null };
  const schedule = await scheduleOf(context, asked, origin);
  if ((await schedulesOf(context)).length >= MAX_SCHEDULES)
    throw new Fault('rate-limited', `Limit reached: ${MAX_SCHEDULES} report schedules. Delete one first`);
  const target = { kind: 'report-schedule', id: schedule.id };
  const entry = audited(context, {
    action: 'report-schedule.created',
    target,
    before: null,
    after: auditBody(schedule),
  });
  const options = { expected: 0, sideRecords: [entry] };
  await ports.records.put(SYSTEM_TENANT, REPORT_SCHEDULE, scheduleKey(schedule), schedule, options);
  return schedule;
}

/** Throws Fault `not-found`. */
async function ownSchedule(context: UseCaseContext, id: string): Promise<StoredRecord<ReportSchedule>> {
  const { ports, tenant } = context;
  const stored = await ports.records.get<ReportSchedule>(SYSTEM_TENANT, REPORT_SCHEDULE, scheduleKey({ tenant, id }));
  if (stored === null || !maySee(stored.body, context)) throw notFound('Report schedule', id);
  return stored;
}

/**
 * Replaces what is generated, and when; the owner stays. Throws the Faults of a report requested now, and `not-found`.
 */
export async function changeSchedule(
  context: UseCaseContext,
  { id, asked }: { readonly id: string; readonly asked: NewSchedule },
): Promise<ReportSchedule> {
  const { body, revision } = await ownSchedule(context, id);
  const schedule = await scheduleOf(context, asked, body);
  const entry = audited(context, {
    action: 'report-schedule.updated',
    target: { kind: 'report-schedule', id },
    before: auditBody(body),
    after: auditBody(schedule),
  });
  const options = { expected: revision, sideRecords: [entry] };
  await context.ports.records.put(SYSTEM_TENANT, REPORT_SCHEDULE, scheduleKey(schedule), schedule, options);
  return schedule;
}

/** Throws Fault `not-found`. */
export async function deleteSchedule(context: UseCaseContext, id: string): Promise<void> {
  const { ports } = context;
  const stored = await ownSchedule(context, id);
  const target = { kind: 'report-schedule', id };
  const before = auditBody(stored.body);
  const entry = audited(context, { action: 'report-schedule.deleted', target, before, after: null });
  await ports.records.remove(SYSTEM_TENANT, REPORT_SCHEDULE, scheduleKey(stored.body), [entry]);
}
