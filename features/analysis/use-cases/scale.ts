import { firstArrival } from '#application/events/first-arrival.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StrangenessScale } from '#features/analysis/rules/anomaly.ts';

const KIND = 'anomaly-scale';
const ID = 'newest';

/** The scale for the next event of a tenant. */
export interface StoredScale extends StrangenessScale {
  /** Event time of the tenant's first event, ms. */
  readonly since: number;
}

type Needed = Pick<Ports, 'records' | 'correlation'>;

/** `at`: event time of an event that there is, ms. */
export const loadScale = async (ports: Needed, tenant: string, at: number): Promise<StoredScale> => {
  const stored = (await ports.records.get<StoredScale>(tenant, KIND, ID))?.body;
  if (stored !== undefined) return { ...stored, since: Math.min(stored.since, at) };
  return { newest: [], since: Math.min(at, (await firstArrival(ports, tenant)) ?? at) };
};

export const saveScale = async ({ records }: Needed, tenant: string, scale: StoredScale): Promise<void> => {
  await records.put<StoredScale>(tenant, KIND, ID, scale);
};
