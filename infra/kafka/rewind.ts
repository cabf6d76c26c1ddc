import type { Admin } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import type { AnyProcessor } from '#domain/pipeline/processor.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type KafkaOptions, openClient } from './client/client.ts';
import { readEpoch } from './client/epoch.ts';
import { groupOf } from './open-kafka.ts';
import { journalOf } from './owner/fold-owner.ts';
import { fromJournal, toJournal, turnedBack } from './owner/journal.ts';

export interface RewindOptions {
  readonly kafka: KafkaOptions;
  readonly records: Pick<RecordStore, 'get'>;
  readonly store: Pick<PipelineStore, 'readJournal' | 'writeJournal'>;
  readonly processor: Pick<AnyProcessor, 'name'>;
}

const RETRIES = 10;

const withAdmin = async <T>(kafka: KafkaOptions, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const client = openClient(kafka, RETRIES);
  const admin = client.kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
    client.end();
  }
};

const requireNobody = async (admin: Admin, group: string, name: string): Promise<void> => {
  const { groups } = await admin.describeGroups([group]);
  const members = groups.reduce((sum, one) => sum + one.members.length, 0);
  if (members > 0)
    throw new Fault(
      'conflict',
      `${name} still has running processes (${members}). Stop every worker that runs it first`,
    );
};

/** A group without its offsets has read nothing, so its lag is all that can be read. An unused group does not exist. */
const forgetOffsets = async (admin: Admin, group: string): Promise<void> => {
  const { groups } = await admin.listGroups();
  if (groups.some(({ groupId }) => groupId === group)) await admin.deleteGroups([group]);
};

/** Writes under the next number, so that an owner that is still alive finds its number in use. */
const turnBack = async (store: RewindOptions['store'], name: string): Promise<void> => {
  const last = await store.readJournal(name);
  if (last === null) return;
  const page = toJournal(turnedBack(fromJournal(last)));
  if (!(await store.writeJournal(name, page)))
    throw new Fault('conflict', `Active consumers on ${name}. Stop every worker first`);
};

/**
 * Makes a fold read its topic from the start. Its next owners continue the numbering of outputs, since readers know
 * earlier numbers; sinks receive nothing again. Returns the partitions. Throws Fault `conflict` while it runs.
 */
export const rewind = async ({ kafka, records, store, processor }: RewindOptions): Promise<number> => {
  const log = await readEpoch(records);
  if (log === null) return 0;
  const group = groupOf(processor, log.epoch);
  await withAdmin(kafka, async (admin) => {
    await requireNobody(admin, group, processor.name);
    for (let partition = 0; partition < log.partitions; partition += 1)
      await turnBack(store, journalOf(log.epoch, processor, partition));
    await forgetOffsets(admin, group);
  });
  return log.partitions;
};
