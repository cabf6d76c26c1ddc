import { errorMessage, isOvertaken } from '#domain/fault.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_WAITS_MS } from '#domain/ports/operations.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import type { Producer, ProducerRecord } from '#infra/kafka/producer/producer.ts';
import { refusalOf } from '#infra/kafka/producer/record-batches.ts';
import { readReply } from '#infra/kafka/producer/reply.ts';
import { eventsReceipts, eventsRejected } from '#schemas/topics/topics.ts';
import type { RequestReceipts as AnswerRecord, RejectedRecord, TopicName } from '#schemas/topics/values.ts';
import { refusal } from './bad-record.ts';
import type { Output, ReceiptReply } from './journal.ts';
import type { Emitter } from './owner.ts';
import type { Emitted, Rejected } from './step-batch.ts';
import { toMessage } from './wire.ts';

export interface EmitterOptions {
  readonly producer: Producer;
  readonly codecs: Codecs;
  readonly records: Pick<RecordStore, 'put'>;
  /** Writer under which the outputs are numbered. */
  readonly writer: string;
  readonly tracing?: Tracing | null;
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

type Receipts = AnswerRecord['receipts'];

const byRequest = (answers: readonly ReceiptReply[]) => {
  const requests = new Map<string, { process: string; request: string; receipts: Receipts[number][] }>();
  for (const { reply, receipt } of answers) {
    const { process, request, index } = readReply(reply);
    const key = `${process}/${request}`;
    const known = requests.get(key) ?? { process, request, receipts: [] };
    requests.set(key, known);
    known.receipts.push({ index, receipt });
  }
  return [...requests.values()];
};

/** One record per request; its key names the process that waits. Receipts too large for one record are split. */
const answerRecords = (codecs: Codecs, answers: readonly ReceiptReply[]): ProducerRecord[] => {
  const recordsOf = (key: string, request: string, receipts: Receipts): ProducerRecord[] => {
    const value = codecs.encode(eventsReceipts, { request, receipts } satisfies AnswerRecord);
    if (refusalOf(eventsReceipts, key, value) === null) return [{ key, value }];
    const [first] = receipts;
    if (receipts.length <= 1)
      return first === undefined ? [] : recordsOf(key, request, [{ ...first, receipt: refusal }]);
    const half = receipts.length >> 1;
    return [receipts.slice(0, half), receipts.slice(half)].flatMap((part) => recordsOf(key, request, part));
  };
  return byRequest(answers).flatMap(({ process, request, receipts }) => recordsOf(process, request, receipts));
};

const letterOf = (partition: number, { value, tenant: _, isDocument, ...rejected }: Rejected): DeadLetter => ({
  attempts: 1,
  ...rejected,
  partition,
  settled: null,
  content: { kind: isDocument ? 'document' : 'avro', base64: value },
});

/** A content near the limit of the topic would not fit together with its description. */
const MAX_CONTENT = 12 * 2 ** 20;

/** A letter without its content still has topic, partition and offset. */
const bounded = (rejected: Rejected): Rejected => {
  const bytes = (rejected.value.length / 4) * 3;
  if (bytes <= MAX_CONTENT) return rejected;
  return { ...rejected, value: '', reason: `${rejected.reason} (its ${Math.floor(bytes)} bytes were not stored)` };
};

const recordOf = (partition: number, rejected: Rejected): RejectedRecord => {
  const { id: _, content, settled: __, ...letter } = letterOf(partition, rejected);
  return { ...letter, value: Buffer.from(rejected.value, 'base64') };
};

/** A letter that exists already is left as it is, with its state. */
const keep = async (records: EmitterOptions['records'], partition: number, rejected: Rejected): Promise<void> => {
  const options = { expected: 0, expiresAt: rejected.at + LETTER_WAITS_MS };
  const letter = letterOf(partition, rejected);
  try {
    await records.put(rejected.tenant || SYSTEM_TENANT, DEAD_LETTER_KIND, letter.id, letter, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
};

/** Values of entries, encoded once: to be sized before the page is written, and sent after it. */
const openEncoded = (codecs: Codecs) => {
  const known = new WeakMap<Entry<unknown>, Buffer>();
  return ({ topic, entry }: Emitted): Buffer => {
    const bytes = known.get(entry) ?? codecs.encode(topic as TopicName, entry.value);
    known.set(entry, bytes);
    return bytes;
  };
};

/**
 * Sends an owner's outputs; throws when the log does not accept them in time: the next opening of the partition sends
 * them again.
 */
export const openEmitter = ({ producer, codecs, records, writer, tracing }: EmitterOptions): Emitter => {
  const encoded = openEncoded(codecs);
  return {
    refuses(emitted) {
      try {
        return refusalOf(emitted.topic, emitted.entry.tenant, encoded(emitted));
      } catch (error) {
        return errorMessage(error);
      }
    },
    async send(partition, outputs) {
      // One topic after the other: the facts of an arrival are in the log before any strategy can pass it.
      for (const [topic, list] of byTopic(outputs)) {
        await producer.send(
          topic,
          partition,
          list.map((output) => toMessage(writer, partition, output, encoded(output), tracing?.of(output.entry))),
        );
      }
    },
    async answer(answers) {
      if (answers.length > 0) await producer.send(eventsReceipts, 0, answerRecords(codecs, answers));
    },
    async reject(partition, given) {
      const rejected = given.map(bounded);
      for (const one of rejected) await keep(records, partition, one);
      const letters = rejected.map((one) => ({
        key: one.tenant,
        value: codecs.encode(eventsRejected satisfies TopicName, recordOf(partition, one)),
      }));
      await producer.send(eventsRejected, partition, letters);
    },
  };
};
