import type { Receipt } from '#domain/event/incoming.ts';
import { isOvertaken } from '#domain/fault.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_WAITS_MS } from '#domain/ports/operations.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { eventsReceipts, eventsRejected } from '#schemas/topics/topics.ts';
import type { Answer as AnswerRecord, DeadLetter as RejectedRecord, TopicName } from '#schemas/topics/values.ts';
import type { Codecs } from './codecs.ts';
import type { Answer, Output } from './journal.ts';
import type { Outlet } from './owner.ts';
import type { Producer, ProducerRecord } from './producer.ts';
import { readReply } from './reply.ts';
import type { Rejected } from './step-batch.ts';
import { toMessage } from './wire.ts';

export interface OutletOptions {
  readonly producer: Producer;
  readonly codecs: Codecs;
  readonly records: Pick<RecordStore, 'put'>;
  /** Under which the outputs are numbered. */
  readonly writer: string;
}

const byTopic = (outputs: readonly Output[]): Map<string, Output[]> => {
  const topics = new Map<string, Output[]>();
  for (const output of outputs) {
    const known = topics.get(output.topic);
    if (known === undefined) topics.set(output.topic, [output]);
    else known.push(output);
  }
  return topics;
};

/** One record per request, whoever waits for it: its key names the process. */
const answerRecords = (codecs: Codecs, answers: readonly Answer[]): ProducerRecord[] => {
  const requests = new Map<
    string,
    { process: string; request: string; receipts: { index: number; receipt: Receipt }[] }
  >();
  for (const { reply, receipt } of answers) {
    const { process, request, index } = readReply(reply);
    const key = `${process}/${request}`;
    const known = requests.get(key) ?? { process, request, receipts: [] };
    requests.set(key, known);
    known.receipts.push({ index, receipt });
  }
  return [...requests.values()].map(({ process, request, receipts }) => {
    const value: AnswerRecord = { request, receipts };
    return { key: process, value: codecs.encode(eventsReceipts, value) };
  });
};

const letterOf = (partition: number, { value, tenant: _, isDocument, ...rejected }: Rejected): DeadLetter => ({
  ...{ ...rejected, partition, attempts: 1, settled: null },
  content: { kind: isDocument ? 'document' : 'avro', base64: value },
});

const recordOf = (partition: number, rejected: Rejected): RejectedRecord => {
  const { id: _, content, settled: __, ...letter } = letterOf(partition, rejected);
  return { ...letter, value: Buffer.from(rejected.value, 'base64') };
};

/** What was done about it since stays. */
const keep = async (records: OutletOptions['records'], partition: number, rejected: Rejected): Promise<void> => {
  const options = { expected: 0, expiresAt: rejected.at + LETTER_WAITS_MS };
  const letter = letterOf(partition, rejected);
  try {
    await records.put(rejected.tenant || SYSTEM_TENANT, DEAD_LETTER_KIND, letter.id, letter, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
};

/** Sends what an owner has decided; waits as long as the log is down, since the batch is in the journal. */
export const openOutlet = ({ producer, codecs, records, writer }: OutletOptions): Outlet => ({
  async send(partition, outputs) {
    // One topic after the other: the facts of an arrival are in the log before any strategy can pass it.
    for (const [topic, list] of byTopic(outputs)) {
      await producer.send(
        topic,
        partition,
        list.map((output) => toMessage(codecs, writer, partition, output)),
      );
    }
  },
  async answer(answers) {
    if (answers.length > 0) await producer.send(eventsReceipts, 0, answerRecords(codecs, answers));
  },
  async reject(partition, rejected) {
    for (const one of rejected) await keep(records, partition, one);
    const letters = rejected.map((one) => ({
      key: one.tenant,
      value: codecs.encode(eventsRejected satisfies TopicName, recordOf(partition, one)),
    }));
    await producer.send(eventsRejected, partition, letters);
  },
});
