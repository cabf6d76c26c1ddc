import type { TopicName } from './values.ts';

/** The pipeline's topics. All are keyed by tenant and have the same number of partitions. */
export const eventsIncoming = 'events.incoming';
export const eventsSaved = 'events.saved';
export const eventsEnriched = 'events.enriched';
export const correlationHits = 'correlation.hits';
export const correlationChanges = 'correlation.changes';
export const topologyChanged = 'topology.changed';
export const eventsReceipts = 'events.receipts';
export const eventsRejected = 'events.rejected';

/** Default number for topics that are keyed by tenant. */
export const DEFAULT_PARTITIONS = 24;

/**
 * Storage of a topic on Kafka. Written in Avro by the schema of the given name; keyed by tenant unless stated
 * otherwise.
 */
export interface Topic {
  readonly name: TopicName;
  /** The key of a record: its tenant, or the API process that waits for it. */
  readonly key: 'tenant' | 'process';
  /** File beside this one. */
  readonly schema: string;
  /** `pipeline`: as many as all pipeline topics have. */
  readonly partitions: 'pipeline' | number;
  /** Retention in ms; `groups`: as long as groups are stored, since they can be rebuilt from this topic. */
  readonly retention: number | 'groups';
  /** Largest record batch, so also the largest request that can be appended as one. */
  readonly maxMessageBytes: number;
  /** False everywhere: each record is one change, and none replaces another. */
  readonly compacted: boolean;
}

/** Returns the subject under which the schema of a topic is registered. */
export const subjectOf = (topic: string): string => `${topic}-value`;

const MIB = 2 ** 20;
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

const topic = (name: TopicName, schema: string, rest: Partial<Topic> = {}): Topic => ({
  name,
  key: 'tenant',
  schema,
  partitions: 'pipeline',
  retention: WEEK,
  maxMessageBytes: 4 * MIB,
  compacted: false,
  ...rest,
});

/** Topics in reading order. An event with all its notes can be larger than 3 MiB, so topics of events accept 16. */
export const topics: readonly Topic[] = [
  topic(eventsIncoming, 'events-incoming.avsc', { maxMessageBytes: 16 * MIB }),
  topic(eventsSaved, 'events-saved.avsc', { maxMessageBytes: 16 * MIB }),
  topic(eventsEnriched, 'events-enriched.avsc'),
  topic(correlationHits, 'correlation-hits.avsc', { retention: 'groups' }),
  topic(correlationChanges, 'correlation-changes.avsc'),
  topic(topologyChanged, 'topology-changed.avsc'),
  topic(eventsReceipts, 'events-receipts.avsc', { key: 'process', partitions: 1, retention: HOUR }),
  topic(eventsRejected, 'events-rejected.avsc', { maxMessageBytes: 16 * MIB }),
];

/** A record is deleted with its whole segment, which needs up to a day to fill. */
const SEGMENT_MS = 24 * HOUR;

/** Returns the maximum time that any topic may hold a record, ms, when the operator has not set another time for it. */
export const logRetentionMs = (groupsMs: number): number =>
  Math.max(...topics.map(({ retention }) => (retention === 'groups' ? groupsMs : retention))) + SEGMENT_MS;
