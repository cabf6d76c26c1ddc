import type { UseCaseContext } from '#application/access/context.ts';
import { notFound } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { TRIAL, type Trial } from '#features/trials/rules/trial.ts';

/** Trials with all they hold, ms. */
const TRIAL_KEPT_MS = 7 * 86_400_000;

export const findTrial = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Trial> | null> =>
  records.get<Trial>(tenant, TRIAL, id);

/** Throws Fault `precondition` after a concurrent revision. */
export const putTrial = (
  records: RecordStore,
  tenant: string,
  trial: Trial,
  expected: number,
  sideRecords: readonly SideRecord[] = [],
): Promise<number> => {
  const options = { expected, expiresAt: trial.startedAt + TRIAL_KEPT_MS, sideRecords };
  return records.put(tenant, TRIAL, trial.id, trial, options);
};

type Asking = Pick<UseCaseContext, 'ports' | 'tenant'>;

/** Throws Fault `not-found`. */
export async function showTrial({ ports, tenant }: Asking, id: string): Promise<Trial> {
  const stored = await findTrial(ports.records, tenant, id);
  if (stored === null) throw notFound('Trial', id);
  return stored.body;
}

/** The newest first. */
export const listTrials = async ({ ports, tenant }: Asking, limit: number): Promise<Trial[]> =>
  (await ports.records.list<Trial>(tenant, TRIAL, { limit, descending: true })).map(({ body }) => body);
