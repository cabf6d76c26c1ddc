import type { Sinks } from '#domain/pipeline/sinks.ts';
import type { Holidays } from './calendar/holidays.ts';
import type { Certificates } from './certificates.ts';
import type { Clock } from './clock.ts';
import type { CorrelationStore } from './correlation-store.ts';
import type { Deadline } from './deadline.ts';
import type { EventLog } from './event-log.ts';
import type { CorrelationHistory } from './events/correlation-history.ts';
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
import type { Outbound } from './outbound.ts';
import type { RecordStore } from './record-store.ts';
import type { Documents } from './reports/documents.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { ServiceSearches } from './services/service-searches.ts';
import type { TenantPurge } from './tenant-purge.ts';
import type { TopologyPorts } from './topology/topology-ports.ts';

/** Everything a handler may use of the outside, and what the process remembers of it. */
export interface Ports extends EventPorts, TopologyPorts {
  readonly eventLog: EventLog;
  readonly correlation: CorrelationStore;
  readonly correlationHistory: CorrelationHistory;
  readonly groupRows: GroupRows;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
  readonly operations: Operations;
  readonly tenants: TenantPurge;
  /** A change, for its viewers. */
  readonly live: LiveChanges;
  readonly limiter: Limiter;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly ids: Ids;
  readonly crypto: Crypto;
  readonly certificates: Certificates;
  readonly holidays: Holidays;
  readonly documents: Documents;
  readonly serviceSearches: ServiceSearches;
  readonly metrics: Metrics;
  readonly keys: Keys;
  readonly leases: Leases;
  readonly jobs: Jobs;
  readonly sinks: Sinks;
  /** `wake` tells the background that a request has left work for it, `noteAll` that events of the tenant were taken in unbound. */
  readonly discovery: { wake(): void; noteAll(tenant: string): void };
  /** Tells that there is something to deliver to webhooks. */
  readonly deliveries: { wake(): void };
  /** Tells that an infrastructure analysis was asked for. */
  readonly analyses: { wake(): void };
  /** Tells that a trial of settings was asked for. */
  readonly trials: { wake(): void };
  /** Tells that a report was asked for. */
  readonly reports: { wake(): void };
  readonly memory: Memory;
  /** Null: the rules answer everything. */
  readonly model: ModelProvider | null;
  /** Null: searches find words and concepts alone. */
  readonly embedder: Embedder | null;
  /** How long earlier versions of CIs and relationships and the audit trail are kept, ms. */
  readonly historyMs: number;
}

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
  /** For what comes piece by piece. */
  hasher(): Hasher;
  hashPassword(password: string): Promise<string>;
  verifyPassword(password: string, hash: string): Promise<boolean>;
  /** PKCS#1 v1.5 over `text` with the public key of a PEM certificate. */
  verifyRsa(algorithm: 'sha1' | 'sha256', text: string, signatureBase64: string, certificatePem: string): boolean;
}
