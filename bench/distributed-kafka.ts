/** The baseline for the log: Kafka's own producer benchmark, from the same version as the broker. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { readEnginesConfig } from '#infra/config.ts';
import { openClient } from '#infra/kafka/client/client.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { fetchArtifact } from '#tools/engines/fetch-artifact.ts';
import { openCache } from '#tools/engines/folders.ts';
import { findJava, javaHomes } from '#tools/engines/java.ts';
import { kafka } from '#tools/engines/kafka.ts';

const TOPIC = 'bench.baseline';
const SAMPLE = 2_000;
/** Programs are fetched once; a mirror that does not answer ends the baseline, not the benchmark. */
const FETCH_MS = 120_000;
const SAMPLE_MS = 30_000;
const RUN_MS = 120_000;
const RETRIES = 5;
const QUIET = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-Xmx256m'];

/** The broker's programs with its tools, which the broker itself does not need. */
const tools = async (progress: (line: string) => void): Promise<string> => {
  const { cache, userCache } = readEnginesConfig();
  const coordinates = [`org.apache.kafka:kafka-tools:${kafka.version}`, 'org.slf4j:slf4j-simple:1.7.36'];
  const recipe = { ...kafka, version: `${kafka.version}-tools`, artifact: { kind: 'jars', coordinates } } as const;
  const patience = AbortSignal.timeout(FETCH_MS);
  return join(await fetchArtifact(recipe, openCache(cache, userCache), patience, progress), 'lib', '*');
};

export interface Log {
  /** Mean size of a record that the API has appended, headers included. */
  readonly recordBytes: number;
  readonly partitions: number;
}

/** Looks at what was appended to events.incoming; with our client, since its records are packed with a codec that kafkajs does not bring. */
export const lookAtLog = async (broker: string): Promise<Log> => {
  const client = openClient({ brokers: [broker], clientId: 'bench' }, RETRIES);
  const admin = client.kafka.admin();
  await admin.connect();
  try {
    const partitions = (await admin.fetchTopicOffsets(eventsIncoming)).length;
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: partitions }], waitForLeaders: true });
    return { recordBytes: await meanSize(client.kafka), partitions };
  } finally {
    await admin.disconnect();
    client.end();
  }
};

const sizeOf = ({ key, value, headers = {} }: KafkaMessage): number =>
  Object.entries(headers).reduce(
    (sum, [name, text]) => sum + name.length + (text?.length ?? 0),
    (key?.length ?? 0) + (value?.length ?? 0),
  );

const meanSize = async (kafka: Kafka): Promise<number> => {
  const consumer = kafka.consumer({ groupId: 'bench.sizes' });
  const sizes: number[] = [];
  const done = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  const timer = setTimeout(() => done.resolve(), SAMPLE_MS);
  try {
    await consumer.connect();
    await consumer.subscribe({ topic: eventsIncoming, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        sizes.push(sizeOf(message));
        if (sizes.length >= SAMPLE) done.resolve();
      },
    });
    await done.promise;
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
  }
  if (sizes.length === 0) throw new Error(`nothing of ${eventsIncoming} came within ${SAMPLE_MS / 1_000} s`);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
};

/** Records per second that Kafka's own client gets acknowledged by all replicas, with its own defaults. */
export const producerPerformance = async (
  broker: string,
  { recordBytes }: Log,
  records: number,
  progress: (line: string) => void,
): Promise<number> => {
  const java = join(findJava(javaHomes(readEnginesConfig().java)), 'bin', 'java');
  const asked = ['--topic', TOPIC, '--num-records', records, '--record-size', recordBytes, '--throughput', -1];
  const properties = ['--command-property', `bootstrap.servers=${broker}`, 'acks=all'];
  const { stdout } = await promisify(execFile)(
    java,
    [...QUIET, '-cp', await tools(progress), 'org.apache.kafka.tools.ProducerPerformance', ...asked, ...properties].map(
      String,
    ),
    { cwd: tmpdir(), timeout: RUN_MS },
  );
  const last = stdout.trim().split('\n').at(-1) ?? '';
  const rate = /records sent, ([\d.]+) records\/sec/.exec(last)?.[1];
  if (rate === undefined) throw new Error(`Kafka's benchmark said: ${stdout}`);
  return Number(rate);
};
