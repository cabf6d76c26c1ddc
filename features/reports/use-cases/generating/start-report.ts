import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { searchDue } from '#application/records/search-due.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { Fault, type Problem } from '#domain/fault.ts';
import type { FilterName } from '#features/questions/rules/query.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import { tenantNames } from '#features/questions/use-cases/queries/tenant-names.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import { MAKE_REPORTS, MOST_WAITING, type Report, type ReportDelivery } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import { type Chosen, choose, templateNamed } from '#features/reports/rules/templates/chosen.ts';
import { filtersOf } from '#features/reports/use-cases/reading/reading.ts';
import {
  MOST_KEPT,
  newestReports,
  placeRecord,
  putReport,
  waitingOf,
} from '#features/reports/use-cases/report-records.ts';

export interface ReportAsked {
  readonly template: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly format: DocumentFormat;
  readonly delivery: ReportDelivery;
  readonly shared: boolean;
  /** Null: that of the template. */
  readonly category: string | null;
}

/** Known names that a refusal tells. */
const MOST_TOLD = 20;

const named = (names: readonly string[]): string =>
  names.length === 0 ? 'there are none yet' : `known are ${[...new Set(names)].sort().slice(0, MOST_TOLD).join(', ')}`;

/** Names that stand for nothing are refused: a report of nothing helps nobody. */
async function requireKnown(asking: QueryAsking, chosen: Chosen): Promise<void> {
  const filters = filtersOf(chosen);
  if (Object.keys(filters).length === 0) return;
  const { missing } = await resolveFilters(asking, filters);
  if (missing.length === 0) return;
  const { ciTypes, services, serviceTexts, sources } = await tenantNames(asking);
  const known: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
    ci_type: ciTypes,
    // Names of services in events are visible to all who may read events.
    service: [
      ...(asking.caller.permissions.has('services.read') ? services.map(({ name }) => name) : []),
      ...serviceTexts,
    ],
    source: sources,
  };
  const problems = missing.map(({ kind, name }): Problem => {
    return { field: `parameters.${kind}`, reason: `nothing is called ${name}; ${named(known[kind] ?? [])}` };
  });
  const said = problems.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
  throw new Fault('invalid', said, problems);
}

/** Throws Fault `rate-limited` while too many reports of the tenant wait, or are kept. */
async function requireRoom({ ports, tenant }: UseCaseContext): Promise<void> {
  const waiting = await waitingOf(ports, tenant, MOST_WAITING);
  if (waiting.length >= MOST_WAITING)
    throw new Fault('rate-limited', `${MOST_WAITING} reports wait to be made: ask again later`, [], { retryAfter: 30 });
  const kept = await newestReports(ports.records, tenant);
  if (kept.length >= MOST_KEPT)
    throw new Fault('rate-limited', `${MOST_KEPT} reports are kept: delete some, or wait until they are 7 days old`);
}

const auditBody = ({ template, parameters, format, delivery, shared, category }: Report) => ({
  template_id: template,
  parameters,
  format,
  shared,
  category,
  delivery: { method: delivery.method, recipients: delivery.recipients },
});

/**
 * Puts a report into the queue. Throws Fault `invalid` for a template, parameter or name that there is not, `forbidden` when the caller may
 * not read what it tells of, `rate-limited` when there is no room.
 */
export async function startReport(context: UseCaseContext, asked: ReportAsked): Promise<Report> {
  const { ports, tenant, receivedAt: now, caller } = context;
  const template = templateNamed(asked.template);
  for (const permission of TEMPLATES[template].needs) requirePermission(context, permission);
  const { zone } = await aiSettings(ports.records, tenant);
  const chosen = choose(template, asked.parameters, { now, zone });
  await requireKnown({ ...context, zone: chosen.zone }, chosen);
  await requireRoom(context);
  const report: Report = {
    id: ports.ids.ulid(),
    template,
    parameters: asked.parameters,
    chosen,
    format: asked.format,
    delivery: { ...asked.delivery, outcome: asked.delivery.method === 'email' ? 'not_configured' : 'pending' },
    shared: asked.shared,
    category: asked.category ?? TEMPLATES[template].category,
    by: { id: caller.id, username: caller.username, name: caller.name },
    requestedAt: now,
    status: 'generating',
    step: 'waiting',
    turns: 0,
    completedAt: null,
    error: null,
    file: null,
  };
  const target = { kind: 'report', id: report.id };
  const entry = audited(context, { action: 'report.created', target, before: null, after: auditBody(report) });
  const due = searchDue(ports, tenant, [{ kind: 'report', id: report.id }]);
  const place = placeRecord({ tenant, report: report.id, at: now });
  await putReport(ports.records, tenant, report, { expected: 0, sideRecords: [place, entry, due] });
  ports.background.ring(MAKE_REPORTS);
  return report;
}
