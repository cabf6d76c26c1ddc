import type { Incoming } from '#domain/event/incoming.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { measureReceipts } from '#infra/measure-steps.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { LagGate } from './lag-gate.ts';
import type { Producer, ProducerRecord } from './producer.ts';
import type { Receipts } from './receipts.ts';

export interface EventLogOptions {
  readonly producer: Producer;
  readonly codecs: Codecs;
  readonly partitions: number;
  readonly receipts: Receipts;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | null;
  readonly gate: Pick<LagGate, 'pass'>;
}

/** Records about existing events are accepted however far groups lag. */
const bringsEvents = (records: readonly Incoming[]): boolean => records.some(({ ask }) => ask.kind === 'occurred');

/** Time that an append may last before the API answers that the outcome is unknown. */
const APPEND_MS = 10_000;

export const openEventLog = (options: EventLogOptions): EventLog => {
  const { producer, codecs, partitions, receipts, metrics, gate, tracing } = options;
  const send = async (
    tenant: string,
    records: readonly Incoming[],
    deadlineMs: number,
    replies?: readonly string[],
  ) => {
    const partition = partitionOf(tenant, partitions);
    if (bringsEvents(records)) gate.pass(partition);
    const traceparent = tracing?.current();
    const made = records.map((record, index): ProducerRecord => {
      const reply = replies?.[index];
      const value = codecs.encode(eventsIncoming, record);
      const headers = { ...(reply !== undefined && { reply }), ...(traceparent !== undefined && { traceparent }) };
      return { key: tenant, value, headers };
    });
    await producer.send(eventsIncoming, partition, made, { deadlineMs, whole: true });
  };
  return {
    append: (tenant, records) => (records.length === 0 ? Promise.resolve() : send(tenant, records, APPEND_MS)),
    // All records of a request go into the log in one append.
    room: () => Promise.resolve(),
    // Receipts arrive after the save, and point reads return the latest save.
    caughtUp: () => Promise.resolve(),
    async request(tenant, records, { timeoutMs }) {
      if (records.length === 0) return { done: true, receipts: [] };
      const waiting = receipts.expect(records.length);
      try {
        return await measureReceipts(metrics, timeoutMs, async (left) => {
          await send(tenant, records, timeoutMs, waiting.replies);
          const answers = await waiting.within(left());
          return answers === null ? { done: false } : { done: true, receipts: answers };
        });
      } finally {
        waiting.forget();
      }
    },
  };
};
