import type { AnsweredDelivery, EventKey, Recovery } from '#domain/pipeline/processor.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { readMany } from './documents.ts';

export interface RecoveryDocument {
  readonly recovery: Recovery;
}
interface DeliveryDocument {
  readonly delivery: AnsweredDelivery;
}

/** The last recovery of each condition, fenced by position. */
export function recoveryWrite(names: Names, recovery: Recovery): DocumentWrite {
  const { tenant, conditionId: id, position: version } = recovery;
  return {
    family: 'recoveries',
    index: names.single('recoveries'),
    id: documentId(tenant, id),
    key: { tenant, id },
    fence: 'gte',
    version,
    body: { recovery },
    creates: true,
  };
}

/** The first answer to a delivery counts. */
export function deliveryWrite(names: Names, delivery: AnsweredDelivery): DocumentWrite {
  const { tenant, id, position: version } = delivery;
  return {
    family: 'deliveries',
    index: names.single('deliveries'),
    id: documentId(tenant, id),
    key: { tenant, id },
    fence: 'none',
    version,
    body: { delivery },
    creates: true,
  };
}

/** The deliveries that were answered already. */
export async function readDeliveries(
  { connection, names }: Store,
  keys: readonly EventKey[],
): Promise<AnsweredDelivery[]> {
  const places = keys.map(({ tenant, id }) => ({ index: names.single('deliveries'), id: documentId(tenant, id) }));
  const documents = await readMany<DeliveryDocument>(connection, places);
  return documents.filter((document) => document !== undefined).map(({ delivery }) => delivery);
}
