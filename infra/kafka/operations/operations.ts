import type { Admin } from 'kafkajs';
import kafkajs from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import type { Pauses } from '#domain/pipeline/sinks.ts';
import type { DeadLetter, Operations, ProcessorReport, TopicReport } from '#domain/ports/operations.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import { lagOf, type PartitionLag } from '#infra/kafka/client/lag.ts';
import { type ConsumerGroup, membersOf } from '#infra/kafka/client/members.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import type { RegistryOptions } from '#infra/kafka/codec/registry.ts';
import { schemaText } from '#infra/kafka/codec/schema-file.ts';
import { holdsRefused, saveRefused } from '#infra/kafka/owner/refused-changes.ts';
import { within } from '#infra/wait.ts';
import { subjectOf, topics } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import type { SharedErrors } from './shared-errors.ts';
import { StallDetector } from './stall-detector.ts';

const TIMEOUT_MS = 2_000;

/** Returns the version of a schema under its subject; null when the registry does not return one. */
const schemaVersion = async (
  { url, auth }: RegistryOptions,
  subject: string,
  schema: string,
): Promise<number | null> => {
  const headers: Record<string, string> = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
  if (auth !== undefined)
    headers.authorization = `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
  try {
    const address = `${url}/subjects/${encodeURIComponent(subject)}`;
    const init = { method: 'POST', headers, body: JSON.stringify({ schema }), signal: AbortSignal.timeout(TIMEOUT_MS) };
    const reply = await fetch(address, init);
    if (!reply.ok) return null;
    const { version } = (await reply.json()) as { version?: unknown };
    return typeof version === 'number' ? version : null;
  } catch {
    return null;
  }
};

/** End of a partition at some time, monotonic ms. */
interface EndOffset {
  readonly at: number;
  readonly end: number;
}

const STEP_MS = 5_000;
const MAX_OFFSETS = 1_000;

/** One offset a minute is enough over some hours. */
const thinned = (seen: readonly EndOffset[]): EndOffset[] =>
  seen.length <= MAX_OFFSETS ? [...seen] : seen.filter((_, place) => place % 2 === 0);

/** Time since when the oldest unprocessed record of a processor waits, as observed by this process. */
export class Waiting {
  readonly #seen = new Map<number, EndOffset[]>();

  /** Returns its minimum waiting time, ms, by partition; 0 where none waits. `now`: monotonic ms. */
  measure(lags: readonly PartitionLag[], now: number): ReadonlyMap<number, number> {
    return new Map(lags.map((lag) => [lag.partition, this.#ageOf(lag, now)]));
  }

  #ageOf({ partition, committed, end }: PartitionLag, now: number): number {
    const known = this.#seen.get(partition) ?? [];
    // Waiters at or before the position are done.
    const done = known.findIndex((one) => one.end > committed);
    const left = done === -1 ? [] : known.slice(done);
    const newest = left.at(-1);
    const isNew = newest === undefined || (now - newest.at >= STEP_MS && end > newest.end);
    if (isNew && end > committed) left.push({ at: now, end });
    this.#seen.set(partition, thinned(left));
    return left[0] === undefined ? 0 : now - left[0].at;
  }
}

const late = (): Fault => new Fault('unavailable', 'Event log unreachable', [], { retryAfter: 5 });

/** Callers share one running `ask`, and its result for `freshMs`. */
export const memoized = <T>(
  ask: () => Promise<T>,
  { freshMs, deadlineMs }: { readonly freshMs: number; readonly deadlineMs: number },
): (() => Promise<T>) => {
  let known: { readonly value: T; readonly at: number } | null = null;
  let asking: Promise<T> | null = null;
  const askNow = async (): Promise<T> => {
    try {
      const value = await ask();
      known = { value, at: performance.now() };
      return value;
    } finally {
      asking = null;
    }
  };
  return () => {
    if (known !== null && performance.now() - known.at < freshMs) return Promise.resolve(known.value);
    asking ??= askNow();
    return within(deadlineMs, asking, late);
  };
};

/** Returns the brokers' settings by topic and name: an operator may retain records longer or shorter. */
const configs = async (admin: Admin): Promise<ReadonlyMap<string, string>> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map(({ name }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: ['retention.ms', 'cleanup.policy'],
    })),
  });
  return new Map(
    resources.flatMap(({ resourceName, configEntries }) =>
      configEntries.map(({ configName, configValue }) => [`${resourceName} ${configName}`, configValue] as const),
    ),
  );
};

/** Returns every stored topic, with the version of its schema in the registry. */
const topicReports = async (
  admin: Admin,
  codecs: Codecs,
  version: (topic: string) => Promise<number | null>,
): Promise<TopicReport[]> => {
  const found = await configs(admin);
  return Promise.all(
    topics.map(async ({ name, key }): Promise<TopicReport> => {
      const [offsets, schema] = await Promise.all([admin.fetchTopicOffsets(name), version(name)]);
      const retention = Number(found.get(`${name} retention.ms`) ?? -1);
      return {
        name,
        key,
        storage: 'kafka',
        compacted: found.get(`${name} cleanup.policy`)?.includes('compact') ?? false,
        retentionMs: retention < 0 ? null : retention,
        schema: { subject: subjectOf(name), version: schema, id: codecs.schemaIds.get(name) ?? null },
        partitions: offsets
          .map(({ partition, low, high }) => ({ partition, first: Number(low), end: Number(high) }))
          .sort((a, b) => a.partition - b.partition),
      };
    }),
  );
};

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

/** Cache times of the state, which users, readiness probes and scrapes request; scrapes need no credential. */
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
interface ProcessorWatch {
  readonly stalls: StallDetector;
  readonly waiting: Waiting;
}

const reports = async (
  { admin, processors, errors, pauses }: OperationsOptions,
  watched: ReadonlyMap<string, ProcessorWatch>,
): Promise<ProcessorReport[]> => {
  // There are no errors to read without the store, but there is a state.
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

const NOT_SAVED = 'The rejected write was truncated; the record itself was processed';
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
      if (!topics.some(({ name }) => name === topic)) throw new Fault('invalid', `Topic ${topic} not found`);
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
