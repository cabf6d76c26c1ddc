import type { Admin } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import type { Pauses } from '#domain/pipeline/sinks.ts';
import type { DeadLetter, Operations, ProcessorReport } from '#domain/ports/operations.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import { lagOf } from '#infra/kafka/client/lag.ts';
import { type ConsumerGroup, membersOf } from '#infra/kafka/client/members.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import type { RegistryOptions } from '#infra/kafka/codec/registry.ts';
import { schemaText } from '#infra/kafka/codec/schema-file.ts';
import { schemaVersion } from '#infra/kafka/codec/schema-version.ts';
import { holdsRefused, saveRefused } from '#infra/kafka/owner/refused-changes.ts';
import { subjectOf, topics } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { memoized } from './memoized.ts';
import type { SharedErrors } from './shared-errors.ts';
import { StallDetector } from './stall-detector.ts';
import { topicReports } from './topic-reports.ts';
import { Waiting } from './waiting.ts';

export interface OperationsOptions {
  readonly admin: Admin;
  readonly codecs: Codecs;
  readonly registry: RegistryOptions;
  readonly partitions: number;
  /** All processors, in reading order, and all sinks. */
  readonly processors: readonly (ConsumerGroup & Pick<ProcessorReport, 'name' | 'kind'>)[];
  readonly pauses: () => Pauses;
  readonly errors: Pick<SharedErrors, 'newest'>;
  readonly store: Pick<PipelineStore, 'save'>;
}

/** Of the state, which people, probes of readiness and scrapes ask for; scrapes need no credential. */
const STATE = { freshMs: 2_000, deadlineMs: 3_000 };
const TOPICS = { freshMs: 2_000, deadlineMs: 5_000 };

/** Versions do not change while a process runs. */
const versions = (registry: RegistryOptions): ((topic: string) => Promise<number | null>) => {
  const known = new Map<string, number>();
  const texts = new Map<string, string>(topics.map((topic) => [topic.name, schemaText(topic)]));
  return async (topic) => {
    const version = known.get(topic) ?? (await schemaVersion(registry, subjectOf(topic), texts.get(topic) ?? ''));
    if (version !== null) known.set(topic, version);
    return version;
  };
};

/** Observations of one processor in this process. */
interface Seen {
  readonly stalls: StallDetector;
  readonly waiting: Waiting;
}

const reports = async (
  { admin, processors, errors, pauses }: OperationsOptions,
  watched: ReadonlyMap<string, Seen>,
): Promise<ProcessorReport[]> => {
  // Without the store there are no errors to read, but there is a state.
  const none: Awaited<ReturnType<SharedErrors['newest']>> = new Map();
  const [members, failed] = await Promise.all([membersOf(admin, processors), errors.newest().catch(() => none)]);
  const now = performance.now();
  return Promise.all(
    processors.map(async ({ name, kind, input, group }) => {
      const present = members.get(group) ?? [];
      const readers = new Map(present.flatMap(({ id, partitions }) => partitions.map((one) => [one, id] as const)));
      const lags = await lagOf(admin, group, input);
      const waits = watched.get(name)?.waiting.measure(lags, now);
      const partitions = lags.map(({ partition, committed, end, lag }) => ({
        partition,
        position: committed,
        end,
        lag,
        member: readers.get(partition) ?? null,
        waitingMs: waits?.get(partition) ?? 0,
      }));
      const error = failed.get(name);
      const lastError = error === undefined ? null : { message: error.message, at: error.at };
      const paused = pauses().get(name) ?? null;
      const seen = { name, kind, paused, input, members: present, partitions, lastError };
      return { ...seen, trouble: watched.get(name)?.stalls.check(seen, now) ?? null };
    }),
  );
};

const NOT_SAVED = 'It does not hold all that the store refused; its record was handled';
const documentIn = ({ content }: DeadLetter): unknown =>
  content.kind === 'document' ? (JSON.parse(Buffer.from(content.base64, 'base64').toString()) as unknown) : null;

/** The pipeline as the brokers, the registry and the other processes report it. */
export const openOperations = (options: OperationsOptions): Operations => {
  const { admin, codecs, partitions, processors, registry, store } = options;
  const watched = new Map(
    processors.map(({ name }) => [name, { stalls: new StallDetector(), waiting: new Waiting() }]),
  );
  const version = versions(registry);
  const asked = memoized(() => reports(options, watched), STATE);
  return {
    /** A pause is shown at once. */
    pipeline: async () =>
      (await asked()).map((report) => ({ ...report, paused: options.pauses().get(report.name) ?? null })),
    topics: memoized(() => topicReports(admin, codecs, version), TOPICS),
    partitionOf: (tenant) => partitionOf(tenant, partitions),
    async readLetter({ topic, content }) {
      if (content.kind === 'json') return content.record;
      const bytes = Buffer.from(content.base64, 'base64');
      if (content.kind === 'document') return JSON.parse(bytes.toString()) as unknown;
      if (!topics.some(({ name }) => name === topic)) throw new Fault('invalid', `There is no topic ${topic}`);
      return codecs.decode(topic as TopicName, bytes);
    },
    whyNotSaved: (letter) => (holdsRefused(documentIn(letter)) ? null : NOT_SAVED),
    async saveAgain(letter) {
      const outcome = await saveRefused(store, documentIn(letter));
      if (outcome === null) throw new Fault('invalid', NOT_SAVED);
      return outcome;
    },
  };
};
