import { newestInsight } from '#application/insights/insight-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { insightDocument } from '#domain/search/insight-document.ts';

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
