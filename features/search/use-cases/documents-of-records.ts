import { membersOf } from '#application/events/group-membership.ts';
import { incidentAnalysis } from '#application/events/incident-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';
import { newestInsight } from '#features/insights/use-cases/insight-records.ts';
import { findReport } from '#features/reports/use-cases/report-records.ts';
import { incidentDocument, MEMBERS_TOLD } from '#features/search/rules/incident-document.ts';
import { insightDocument } from '#features/search/rules/insight-document.ts';
import { reportDocument } from '#features/search/rules/report-document.ts';
import { serviceDocument } from '#features/search/rules/service-document.ts';

/** Components whose names go into the text. */
const MAX_NAMES = 50;

/** Those that there are. */
export async function documentsOfServices(
  { records, topology }: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const service = (await records.get<Service>(tenant, SERVICE_KINDS.service, id))?.body;
    if (service === undefined) continue;
    const parts = service.components.slice(0, MAX_NAMES).map(({ ciId }) => ciId);
    const cis = await topology.getCis(tenant, parts);
    documents.push(
      serviceDocument(
        service,
        cis.map(({ name }) => name),
      ),
    );
  }
  return documents;
}

/** The newest insights of the CIs that have one. */
export async function documentsOfInsights(
  { records, topology }: Ports,
  tenant: string,
  ciIds: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const { id, name } of await topology.getCis(tenant, ciIds)) {
    const insight = await newestInsight(records, tenant, id);
    if (insight !== null) documents.push(insightDocument(insight, name));
  }
  return documents;
}

/** Those that there are. */
export async function documentsOfReports(
  { records }: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const stored = await findReport(records, tenant, id);
    if (stored !== null) documents.push(reportDocument(stored.body));
  }
  return documents;
}

/** Those that there are; a group that became part of another is none. */
export async function documentsOfIncidents(
  ports: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const group = await ports.correlation.group(tenant, id);
    if (group === null || group.id !== id) continue;
    const members = await membersOf(ports, tenant, group, MEMBERS_TOLD);
    const cause = group.candidate?.eventId ?? group.foundedBy;
    const isMissing = !members.some((member) => member.id === cause);
    const told = isMissing ? [...(await ports.events.getMany(tenant, [cause])), ...members] : members;
    const analysed = await incidentAnalysis(ports, tenant, id);
    if (told.length > 0) documents.push(incidentDocument(group, told, analysed?.analysis.rootCauseHypothesis ?? null));
  }
  return documents;
}
