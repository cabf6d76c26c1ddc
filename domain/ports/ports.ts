import type { Event } from '#domain/event/event.ts';
import type { Sinks } from '#domain/pipeline/sinks.ts';
import type { Certificates } from './certificates.ts';
import type { Clock } from './clock.ts';
import type { CorrelationStore } from './correlation-store.ts';
import type { Deadline } from './deadline.ts';
import type { EventLog } from './event-log.ts';
import type { CorrelationHistory, LinkStore } from './events/correlation-history.ts';
import type { EventPorts } from './events/event-ports.ts';
import type { GroupRows } from './events/group-rows.ts';
import type { Ids } from './ids.ts';
import type { Jobs, Leases } from './jobs.ts';
import type { Keys } from './keys.ts';
import type { Limiter } from './limiter.ts';
import type { LiveChanges } from './live/live-changes.ts';
import type { Memory } from './memory.ts';
import type { Metrics } from './metrics.ts';
import type { Embedder } from './model/embedder.ts';
import type { ModelProvider } from './model/model-provider.ts';
import type { Operations } from './operations.ts';
import type { Mailer, Outbound } from './outbound.ts';
import type { RecordStore } from './record-store.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { TenantPurge } from './tenant-purge.ts';
import type { TopologyPorts } from './topology/topology-ports.ts';

/** Connects requests with background work in the same process; without it, another process polls every few seconds. */
interface BackgroundWakeSignal {
  /** There is work of this name. */
  ring(name: string): void;
  /** Notifies of unbound events of the tenant. */
  unbound(tenant: string): void;
}

/** Kinds of records without a tenant key: their body names the tenant; the id of leases is the tenant. */
export interface OwnedRecords {
  readonly kinds: readonly string[];
  readonly leases: readonly string[];
}

/** Stores, pipeline and topology, which a backend opens. */
export interface BackendPorts extends EventPorts, TopologyPorts {
  readonly eventLog: EventLog;
  readonly correlation: CorrelationStore;
  readonly correlationHistory: CorrelationHistory;
  readonly links: LinkStore;
  readonly groupRows: GroupRows;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
  readonly operations: Operations;
  readonly tenants: TenantPurge;
  /** A change, for its viewers. */
  readonly live: LiveChanges;
}

/** All external dependencies of the core, and the memory of the process about them. */
export interface CorePorts extends BackendPorts {
  readonly limiter: Limiter;
  readonly outbound: Outbound;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly ids: Ids;
  readonly crypto: Crypto;
  readonly certificates: Certificates;
  readonly metrics: Metrics;
  readonly keys: Keys;
  readonly leases: Leases;
  readonly jobs: Jobs;
  readonly sinks: Sinks;
  readonly background: BackgroundWakeSignal;
  /** Returns the event with the fields that features add for display. */
  shown(event: Event): Promise<Event>;
  /** Records under no tenant that belong to one. */
  readonly ownedRecords: OwnedRecords;
  readonly memory: Memory;
  /** Null: the rules answer everything. */
  readonly model: ModelProvider | null;
  /** Null: searches find words and concepts alone. */
  readonly embedder: Embedder | null;
  /** Retention of earlier versions of CIs and relationships and of the audit trail, ms. */
  readonly historyMs: number;
}

/** Everything a handler may use. A feature with a port of its own adds it in `declare module`. */
export interface Ports extends CorePorts {}

/** Ports of features. */
export type FeaturePorts = Omit<Ports, keyof CorePorts>;

/** SHA-256 of all pieces in their order, as one. */
export interface Hasher {
  update(piece: Uint8Array): void;
  /** Hexadecimal; once, after the last piece. */
  digest(): string;
}

/** Real cryptography; pure rules only build the strings. */
export interface Crypto {
  sha256(text: string): string;
  /** HMAC-SHA-256 of the text, in base64; the key in base64, too. */
  hmac(keyBase64: string, text: string): string;
  /** Returns a hasher for incremental data. */
  hasher(): Hasher;
  hashPassword(password: string): Promise<string>;
  verifyPassword(password: string, hash: string): Promise<boolean>;
  /** PKCS#1 v1.5 over `text` with the public key of a PEM certificate. */
  verifyRsa(algorithm: 'sha1' | 'sha256', text: string, signatureBase64: string, certificatePem: string): boolean;
}
