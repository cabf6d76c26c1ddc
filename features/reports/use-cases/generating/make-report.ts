import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import type { ReportDocument } from '#features/reports/rules/document/document.ts';
import type { Report } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import { scopeOf } from '#features/reports/rules/templates/said.ts';
import { readTold } from '#features/reports/use-cases/reading/read-told.ts';

/** The one who asked, with what the report needs: it was checked when it was asked for. */
const askingFor = (ports: Ports, tenant: string, { by, template, chosen, requestedAt }: Report): QueryAsking => ({
  tenant,
  ports,
  receivedAt: requestedAt,
  zone: chosen.zone,
  caller: {
    ...by,
    tenant,
    kind: 'api_key',
    role: null,
    credentialId: `report ${by.id}`,
    // Names that it filters by were looked up with the permissions of the one who asked.
    permissions: new Set([...TEMPLATES[template].needs, 'events.read', 'cmdb.read', 'services.read']),
    limits: { tenant: {}, token: {} },
  },
});

async function tenantTitle(ports: Ports, tenant: string): Promise<string> {
  const name = (await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant))?.body.name;
  return name === undefined || name === tenant ? tenant : `${name} (${tenant})`;
}

/** Reads what a report tells of. Throws Fault `unavailable` when `signal` ends it. */
export async function makeDocument(
  ports: Ports,
  tenant: string,
  report: Report,
  signal: AbortSignal,
): Promise<ReportDocument> {
  const { template, chosen, by } = report;
  const told = await readTold(template, { asking: askingFor(ports, tenant, report), chosen, signal });
  return {
    template,
    title: TEMPLATES[template].name,
    cover: {
      tenant: await tenantTitle(ports, tenant),
      scope: scopeOf(chosen),
      range: chosen.range,
      madeAt: ports.clock.now(),
      by: by.name,
      zone: chosen.zone,
    },
    ...told,
  };
}
