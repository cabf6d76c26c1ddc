import { backgroundContext } from '#application/access/context.ts';
import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { recordChunks } from '#application/records/list-records.ts';
import type { Caller } from '#domain/access/caller.ts';
import { permissionsOf } from '#domain/access/grant.ts';
import { ACCESS_KINDS, type TokenRecord, type UserRecord } from '#domain/access/records.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { nextRun, REPORT_SCHEDULE, type ReportSchedule } from '#features/reports/rules/schedule.ts';
import { startReport } from '#features/reports/use-cases/generating/start-report.ts';

/** Returns the owner with current permissions; null: deleted, disabled or expired. */
async function ownerOf({ records, clock }: Ports, { tenant, by }: ReportSchedule): Promise<Caller | null> {
  const who = { ...by, tenant, credentialId: by.id, limits: { tenant: {}, token: {} }, expiresAt: null };
  const user = (await records.get<UserRecord>(tenant, ACCESS_KINDS.user, by.id))?.body;
  if (user !== undefined) {
    const permissions = new Set(permissionsOf({ role: user.role, scopes: [] }));
    return user.disabled ? null : { ...who, kind: 'jwt', role: user.role, permissions };
  }
  const token = (await records.get<TokenRecord>(tenant, ACCESS_KINDS.token, by.id))?.body;
  if (token === undefined || (token.expiresAt !== null && token.expiresAt <= clock.now())) return null;
  return { ...who, kind: token.kind, role: token.role, permissions: new Set(permissionsOf(token)) };
}

/** Throws the Faults of `startReport`, and `forbidden` if the owner may no longer create reports. */
async function startFor(ports: Ports, schedule: ReportSchedule): Promise<string> {
  const { template, parameters, format, delivery, shared, category } = schedule;
  const caller = await ownerOf(ports, schedule);
  if (caller === null || !caller.permissions.has('reports.write'))
    throw new Fault('forbidden', `${schedule.by.name} can no longer create reports. Recreate the schedule`);
  const report = await startReport(backgroundContext(ports, caller), {
    template,
    parameters,
    format,
    delivery,
    shared,
    category,
  });
  return report.id;
}

/** Stores the next time first, so that a crash may skip a report but never creates two. */
async function runDue(ports: Ports, { id, revision, body }: StoredRecord<ReportSchedule>): Promise<void> {
  const due = { ...body, nextAt: nextRun(body, ports.clock.now()) };
  const put = (schedule: ReportSchedule, expected: number): Promise<number> =>
    ports.records.put(SYSTEM_TENANT, REPORT_SCHEDULE, id, schedule, { expected });
  try {
    const next = await put(due, revision);
    try {
      await put({ ...due, lastReportId: await startFor(ports, body), lastError: null }, next);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind === 'precondition') throw error;
      await put({ ...due, lastError: error.message }, next);
    }
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}

/** Starts the reports of due schedules. */
export async function runSchedules(ports: Ports, isStopping: () => boolean): Promise<void> {
  for await (const chunk of recordChunks<ReportSchedule>(ports.records, SYSTEM_TENANT, REPORT_SCHEDULE))
    for (const stored of chunk) {
      if (isStopping()) return;
      if (stored.body.nextAt > ports.clock.now() || (await isBeingDeleted(ports.records, stored.body.tenant))) continue;
      await runDue(ports, stored);
    }
}
