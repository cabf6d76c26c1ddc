import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { serviceDocument } from '#domain/search/service-document.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';

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
