import { incidentAnalysis } from '#application/analysis/incident-records.ts';
import { membersOf } from '#application/events/group-membership.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { incidentDocument, MEMBERS_TOLD } from '#domain/search/incident-document.ts';

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
