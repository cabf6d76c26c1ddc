import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstItem } from '#domain/assert.ts';
import { type Command, type EngineSetup, javaOf, propertyLines, type Recipe } from './engine.ts';
import { accepts } from './probe.ts';
import { run } from './run.ts';

const settings = ({ ports: [client, controller], data }: EngineSetup) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.quorum.voters': `1@127.0.0.1:${controller}`,
  listeners: `PLAINTEXT://127.0.0.1:${client},CONTROLLER://127.0.0.1:${controller}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${client}`,
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': join(data, 'log'),
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'transaction.state.log.num.partitions': 4,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
  'auto.create.topics.enable': false,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'num.recovery.threads.per.data.dir': 1,
  'log.cleaner.dedupe.buffer.size': 16_777_216,
  // A killed broker is let in again after this time; the default makes a restart wait 9 s.
  'broker.session.timeout.ms': 3_000,
  'broker.heartbeat.interval.ms': 500,
});

const LOG_LEVEL = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-Dorg.slf4j.simpleLogger.showDateTime=true'];
const classPath = (place: EngineSetup) => ['-cp', join(place.program, 'lib', '*')];
const settingsFile = (place: EngineSetup): string => join(place.data, 'server.properties');

const command = (place: EngineSetup, options: readonly string[], main: readonly string[]): Command => ({
  program: javaOf(place),
  args: [...options, ...LOG_LEVEL, ...classPath(place), ...main],
  folder: place.data,
  variables: {},
});

/** A cluster id: 16 bytes as base64url, not beginning with `-`, which the tool would take for an option. */
const clusterId = (): string => {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
};

const format = (place: EngineSetup): Promise<void> =>
  run(
    command(
      place,
      ['-Xmx128m', '-XX:TieredStopAtLevel=1'],
      ['kafka.tools.StorageTool', 'format', '-t', clusterId(), '-c', settingsFile(place)],
    ),
  );

/** One node that is broker and controller (KRaft). */
export const kafka: Recipe = {
  name: 'kafka',
  title: 'Kafka',
  version: '4.3.1',
  variable: 'KAFKA_BROKERS',
  artifact: { kind: 'jars', coordinates: ['org.apache.kafka:kafka_2.13:4.3.1', 'org.slf4j:slf4j-simple:1.7.36'] },
  portCount: 2,
  refusesRoot: false,
  address: ({ ports }) => `127.0.0.1:${ports[0]}`,
  async configure(place) {
    await writeFile(settingsFile(place), propertyLines(settings(place)));
    if (!existsSync(join(place.data, 'log', 'meta.properties'))) await format(place);
  },
  command: (place) =>
    command(place, ['-Xms128m', '-Xmx384m', '-XX:+ExitOnOutOfMemoryError'], ['kafka.Kafka', settingsFile(place)]),
  // The broker listens only when the controller has let it in.
  isReady: ({ ports }) => accepts(firstItem(ports)),
};
