import type { Ports } from '#domain/ports/ports.ts';

/** The last moment that a date can hold. */
const FOR_EVER = 8.64e15;

/** Event time of the tenant's first new event, ms; null when none is stored. */
export const firstArrival = async (
  { correlation }: Pick<Ports, 'correlation'>,
  tenant: string,
): Promise<number | null> =>
  (await correlation.enrichedBetween(tenant, 0, FOR_EVER, { limit: 1, order: 'asc' }))[0]?.arrival.time ?? null;
