import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { ANALYSIS_KINDS, findSession, type QueuedAnalysis } from './records.ts';

/** A place in the queue whose session was never written belongs to a request that died; ms. */
const LOST_AFTER_MS = 60_000;
/** Tenants whose places are looked at. */
const MOST_TENANTS = 1_000;

type Stores = Pick<Ports, 'records' | 'clock'>;
export type QueuedAnalysisRecord = StoredRecord<QueuedAnalysis>;

export const placeOf = ({ records }: Stores, tenant: string): Promise<QueuedAnalysisRecord | null> =>
  records.get<QueuedAnalysis>(SYSTEM_TENANT, ANALYSIS_KINDS.queue, tenant);

/** Those who came first, first. */
export async function waiting({ records }: Stores): Promise<QueuedAnalysisRecord[]> {
  const all = await records.list<QueuedAnalysis>(SYSTEM_TENANT, ANALYSIS_KINDS.queue, { limit: MOST_TENANTS });
  return all.sort((a, b) => a.body.at - b.body.at);
}

/** `lost`: nobody works on it any more, or nobody ever will. */
export async function stateOf(
  { records, clock }: Stores,
  { body }: QueuedAnalysisRecord,
): Promise<'running' | 'starting' | 'lost'> {
  const session = await findSession(records, body.tenant, body.session);
  if (session?.body.status === 'running') return 'running';
  return session === null && clock.now() - body.at < LOST_AFTER_MS ? 'starting' : 'lost';
}

/** Takes the tenant's place, which is free or lost. False when another one has it. */
export async function takePlace(
  { records }: Stores,
  place: QueuedAnalysis,
  lost: QueuedAnalysisRecord | null,
): Promise<boolean> {
  const options = { expected: lost?.revision ?? 0 };
  try {
    await records.put<QueuedAnalysis>(SYSTEM_TENANT, ANALYSIS_KINDS.queue, place.tenant, place, options);
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
}

/** Leaves a place; not one that was taken over meanwhile. */
export async function leavePlace({ records, clock }: Stores, { body, revision }: QueuedAnalysisRecord): Promise<void> {
  const options = { expected: revision, expiresAt: clock.now() };
  try {
    await records.put(SYSTEM_TENANT, ANALYSIS_KINDS.queue, body.tenant, body, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}
