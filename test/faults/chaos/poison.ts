import { setTimeout as sleep } from 'node:timers/promises';
import type { Producer } from 'kafkajs';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { systemClock } from '#infra/system/time.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { occurred } from '#test/setup/occurred.ts';
import type { Random } from '#test/setup/seeded.ts';

/** Names the kind on the record, so that the check finds each one in the log. */
export const POISON = 'poison';

const UNKNOWN_SCHEMA = 2_000_000_000;
const header = (schemaId: number): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes.writeInt32BE(schemaId, 1);
  return bytes;
};

type Make = (good: Buffer, serial: number) => Buffer | null;

/** Records that no processor can handle, by their error. */
const POISONS: Readonly<Record<string, Make>> = {
  'no Avro': (_good, serial) => Buffer.from(`poison ${serial}`),
  'unknown schema': (good) => Buffer.concat([header(UNKNOWN_SCHEMA), good.subarray(5)]),
  'cut short': (good) => good.subarray(0, good.length - 9),
  'bytes left over': (good) => Buffer.concat([good, Buffer.from('more')]),
  'no value': () => null,
  'an id that cannot be stored': (good) => good,
};

export interface PoisonOptions {
  readonly producer: Producer;
  readonly codecs: Codecs;
  readonly random: Random;
  readonly tenants: readonly string[];
  readonly partitions: number;
  /** Records of the load so far. */
  readonly sent: () => number;
}

const SHARE = 0.01;
const LOOK_MS = 250;

const goodRecord = (codecs: Codecs, serial: number): Buffer => {
  const receivedAt = systemClock.now();
  const record = occurred({ receivedAt, hostname: 'poisoned', title: `Poison ${'x'.repeat(serial % 7)}` });
  const { ask } = record;
  if (ask.kind !== 'occurred') throw new Error('An occurrence was expected');
  const occurrence = { ...ask.occurrence, newId: `poison-${serial}`, identity: `poison ${serial}` };
  return codecs.encode(eventsIncoming, { ...record, ask: { ...ask, occurrence } });
};

/** Appends one bad record for every hundred good ones until `signal`; one with a possible duplicate counts as two. */
export const poison = async (options: PoisonOptions, signal: AbortSignal): Promise<void> => {
  const { producer, codecs, random, tenants, partitions, sent } = options;
  for (let serial = 1; !signal.aborted; ) {
    if (serial > sent() * SHARE) {
      await sleep(LOOK_MS);
      continue;
    }
    const tenant = random.pick(tenants);
    const kind = random.pick(Object.keys(POISONS));
    const value = POISONS[kind]!(goodRecord(codecs, serial), serial);
    const message = { key: tenant, value, partition: partitionOf(tenant, partitions), headers: { [POISON]: kind } };
    await producer.send({ topic: eventsIncoming, messages: [message] }).catch(() => undefined);
    serial += 1;
  }
};
