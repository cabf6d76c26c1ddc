import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { EnsuredTopics } from './ensure-topics.ts';
import { PARTITIONER } from './partition.ts';

/** The epoch that counts all positions of this log. */
interface EpochRecord {
  readonly epoch: number;
  readonly partitions: number;
  readonly partitioner: string;
}

const KIND = 'pipeline';
const ID = 'epoch';

/** Returns the rules by which the records of this log were placed and counted; null before the first start. */
export const readEpoch = async (
  records: Pick<RecordStore, 'get'>,
): Promise<Pick<EpochRecord, 'epoch' | 'partitions'> | null> =>
  (await records.get<EpochRecord>(SYSTEM_TENANT, KIND, ID))?.body ?? null;

/**
 * Returns the epoch of this log: the stored one, or the next when events.incoming was recreated: its offsets begin at
 * 0, and every save would be older than the stored state. Throws when the rules differ.
 */
export const openEpoch = async (records: RecordStore, { partitions, created }: EnsuredTopics): Promise<number> => {
  const stored = await records.get<EpochRecord>(SYSTEM_TENANT, KIND, ID);
  const isNew = created.includes(eventsIncoming);
  if (stored !== null && !isNew) {
    const { body } = stored;
    if (body.partitions === partitions && body.partitioner === PARTITIONER) return body.epoch;
    throw new Error(
      `Records in the log were partitioned with ${body.partitioner} over ${body.partitions} partitions, but this version uses ${PARTITIONER} over ${partitions}. Start the version that wrote them, or delete all topics to start a new log.`,
    );
  }
  const next: EpochRecord = { epoch: (stored?.body.epoch ?? 0) + 1, partitions, partitioner: PARTITIONER };
  await records.put(SYSTEM_TENANT, KIND, ID, next, { expected: stored?.revision ?? 0 });
  return next.epoch;
};
