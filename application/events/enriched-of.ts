import { untilSeen } from '#application/records/pause.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** An event can be read a moment before it is enriched where stages run separately. */
const TWO_SECONDS = { tries: 20, ms: 100 };

/** Everything that was known when the event arrived. Waits a moment for a new event. */
export const enrichedOf = async (ports: Ports, tenant: string, id: string): Promise<Enriched> => {
  const [record] = await untilSeen(
    () => ports.correlation.enriched(tenant, [id]),
    (found) => found.length > 0,
    TWO_SECONDS,
  );
  if (record === undefined) throw notFound('Correlation record of event', id);
  return record;
};
