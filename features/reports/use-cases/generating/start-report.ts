import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { searchDue } from '#application/records/search-due.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { placeRecord, waitingOf } from '#application/tasks/places.ts';
import { Fault, invalid, type Problem } from '#domain/fault.ts';
import type { FilterName } from '#features/questions/rules/query.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import { tenantNames } from '#features/questions/use-cases/queries/read-query.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import { MAX_WAITING, type Report, type ReportDelivery } from '#features/reports/rules/report.ts';
import { TEMPLATES, type TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { type Chosen, choose, templateNamed } from '#features/reports/rules/templates/chosen.ts';
import { filtersOf } from '#features/reports/use-cases/reading/reading.ts';
import { MAX_KEPT, newestReports, putReport } from '#features/reports/use-cases/report-records.ts';
import { reportTasks } from './report-tasks.ts';

export interface ReportAsked {
  readonly template: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly format: DocumentFormat;
  readonly delivery: ReportDelivery;
  readonly shared: boolean;
  /** Null: the category of the template. */
  readonly category: string | null;
}

/** Maximum number of known names in an error. */
const MAX_TOLD = 20;

const named = (names: readonly string[]): string =>
  names.length === 0 ? 'none exist yet' : `known names: ${[...new Set(names)].sort().slice(0, MAX_TOLD).join(', ')}`;

/** Rejects unknown names, as a report about them would be empty. */
async function requireKnown(asking: QueryAsking, chosen: Chosen): Promise<void> {
  const filters = filtersOf(chosen);
  if (Object.keys(filters).length === 0) return;
  const { missing } = await resolveFilters(asking, filters);
  if (missing.length === 0) return;
  const { ciTypes, services, serviceTexts, sources } = await tenantNames(asking);
  const known: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
    ci_type: ciTypes,
    // Users who may read events also see the names of services in them.
    service: [
      ...(asking.caller.permissions.has('services.read') ? services.map(({ name }) => name) : []),
      ...serviceTexts,
    ],
    source: sources,
  };
  const problems = missing.map(({ kind, name }): Problem => {
    return { field: `parameters.${kind}`, reason: `unknown name ${name}; ${named(known[kind] ?? [])}` };
  });
  const said = problems.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
  throw new Fault('invalid', said, problems);
}

/** Throws Fault `rate-limited` if too many reports of the tenant are waiting or stored. */
async function requireRoom({ ports, tenant }: UseCaseContext): Promise<void> {
  const waiting = await waitingOf(ports, reportTasks, tenant, MAX_WAITING);
  if (waiting.length >= MAX_WAITING)
    throw new Fault('rate-limited', `Report queue is full (${MAX_WAITING}). Try again later`, [], { retryAfter: 30 });
  const kept = await newestReports(ports.records, tenant);
  if (kept.length >= MAX_KEPT)
    throw new Fault(
      'rate-limited',
      `Limit reached: ${MAX_KEPT} stored reports. Delete some or wait until they expire after 7 days`,
    );
}

const auditBody = ({ template, parameters, format, delivery, shared, category }: Report) => ({
  template_id: template,
  parameters,
  format,
  shared,
  category,
  delivery: { method: delivery.method, recipients: delivery.recipients },
});

/** Rejects an unknown group, like any other unknown name. */
async function requireGroup({ ports, tenant }: UseCaseContext, { group }: Chosen): Promise<void> {
  if (group === undefined || (await ports.groupRows.get(tenant, group)) !== null) return;
  throw invalid('parameters.group', `unknown group ${group}`);
}

/**
 * Reads a template and its parameters. Throws Fault `invalid` for unknown names, `forbidden` without permission to read
 * the data.
 */
export async function chosenFor(
  context: UseCaseContext,
  id: string,
  parameters: ReportAsked['parameters'],
): Promise<{ readonly template: TemplateId; readonly chosen: Chosen }> {
  const { ports, tenant, receivedAt: now } = context;
  const template = templateNamed(id);
  for (const permission of TEMPLATES[template].needs) requirePermission(context, permission);
  const { zone } = await aiSettings(ports.records, tenant);
  const chosen = choose(template, parameters, { now, zone });
  await requireKnown({ ...context, zone: chosen.zone }, chosen);
  await requireGroup(context, chosen);
  return { template, chosen };
}

/**
 * Queues a report. Throws Fault `invalid` for an unknown template, parameter or name, `forbidden` if the caller may not
 * read its data, `rate-limited` if a limit is reached.
 */
export async function startReport(context: UseCaseContext, asked: ReportAsked): Promise<Report> {
  const { ports, tenant, receivedAt: now, caller } = context;
  const { template, chosen } = await chosenFor(context, asked.template, asked.parameters);
  await requireRoom(context);
  const report: Report = {
    id: ports.ids.ulid(),
    template,
    parameters: asked.parameters,
    chosen,
    format: asked.format,
    delivery: {
      ...asked.delivery,
      outcome: asked.delivery.method === 'email' && !ports.mailer.isOn ? 'not_configured' : 'pending',
    },
    shared: asked.shared,
    category: asked.category ?? TEMPLATES[template].category,
    by: { id: caller.id, username: caller.username, name: caller.name },
    requestedAt: now,
    status: 'generating',
    step: 'waiting',
    completedAt: null,
    error: null,
    file: null,
  };
  const target = { kind: 'report', id: report.id };
  const entry = audited(context, { action: 'report.created', target, before: null, after: auditBody(report) });
  const due = searchDue(ports, tenant, [{ kind: 'report', id: report.id }]);
  const place = placeRecord(reportTasks, { tenant, id: report.id, at: now });
  await putReport(ports.records, tenant, report, { expected: 0, sideRecords: [place, entry, due] });
  ports.background.ring(reportTasks.name);
  return report;
}
