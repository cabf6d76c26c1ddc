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

/** How the records of this log were placed and are counted; null before the first start. */
export const readEpoch = async (
  records: Pick<RecordStore, 'get'>,
): Promise<Pick<EpochRecord, 'epoch' | 'partitions'> | null> =>
  (await records.get<EpochRecord>(SYSTEM_TENANT, KIND, ID))?.body ?? null;

/**
 * The epoch of this log: the stored one, or the next when events.incoming was made anew: its offsets begin at 0, and every save would be
 * older than what is stored. Throws when the rules differ.
 */
export const openEpoch = async (records: RecordStore, { partitions, created }: EnsuredTopics): Promise<number> => {
  const stored = await records.get<EpochRecord>(SYSTEM_TENANT, KIND, ID);
  const isNew = created.includes(eventsIncoming);
  if (stored !== null && !isNew) {
    const { body } = stored;
    if (body.partitions === partitions && body.partitioner === PARTITIONER) return body.epoch;
    throw new Error(
      `The records in the log were placed by ${body.partitioner} over ${body.partitions} partitions, and this version would place them by ${PARTITIONER} over ${partitions}. Start the version that wrote them, or begin a new log: delete all topics.`,
    );
  }
  const next: EpochRecord = { epoch: (stored?.body.epoch ?? 0) + 1, partitions, partitioner: PARTITIONER };
  await records.put(SYSTEM_TENANT, KIND, ID, next, { expected: stored?.revision ?? 0 });
  return next.epoch;
};
