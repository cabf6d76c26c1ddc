import type { SignEvent } from '#domain/event/identity/signature.ts';
import type { AssigneeDirectory } from '#domain/event/lifecycle/assignee.ts';
import type { CompiledSilences } from '#domain/event/silences/judge.ts';
import type { SourceCounts } from '#domain/event/source-counts.ts';
import type { KnownByTenant, Lru } from '#domain/lru.ts';
import type { PipelineHistory } from '#domain/pipeline/history.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Clock } from './clock.ts';
import type { Silencer } from './events/event-sweeps.ts';
import type { RecordStore } from './record-store.ts';
import type { TopologyPorts } from './topology/topology-ports.ts';

/** The input of the compiler of silences. */
export type SilencePorts = Pick<TopologyPorts, 'graph' | 'matcher' | 'topology'> & {
  readonly records: RecordStore;
  readonly clock: Clock;
};

/** Silences and maintenance of each tenant, ready to judge events; what another process changed counts within a second. */
export interface KnownSilences {
  /** `now`: ms. */
  of(ports: SilencePorts, tenant: string, now: number): Promise<CompiledSilences>;
  /** Must be called after every change of silences and settings in this process. */
  forget(tenant: string): void;
  /** Drops the cached CIs below a CI; null: in any tenant. */
  topologyChanged(tenant: string | null): void;
  /** Silences in this process, by tenant and name. */
  readonly held: Map<string, Silencer>;
}

/** Serializes work on one object in this process, in the order of requests. */
export interface Turns {
  /** Throws Fault `unavailable` when too many wait for the same thing. */
  take<T>(thing: string, work: () => Promise<T>): Promise<T>;
}

/** Failed logins of one account within a minute: one entry of the audit trail, which grows. */
export interface FailedLogins {
  readonly entry: SideRecord;
  /** Time of the first one, ms. */
  readonly at: number;
  readonly addresses: Set<string>;
  wrong: number;
  throttled: number;
  saving: Promise<unknown>;
}

/** CIs that fail with others, by the ids of these. */
export interface KnownHits {
  readonly failing: Lru<string, readonly string[]>;
  /** Running walks. */
  readonly walks: Map<string, Promise<unknown>>;
}

/** A feature's memory in a process: opened at its first use. */
export interface MemorySlot<T> {
  readonly name: string;
  open(records: RecordStore): T;
}

/** Memory of a process from one request or job to the next. The composition root makes one; nothing else of it outlives a request. */
export interface Memory {
  /** Credentials found valid; to be cleared after every change of tenants, users, tokens and limits. */
  readonly callers: { clear(): void };
  /** Users and teams, at most 10,000 of each. */
  readonly directories: KnownByTenant<AssigneeDirectory>;
  /** The services that a CI belongs to; none while the store is down. */
  readonly services: KnownByTenant<ServicesOfCi>;
  /** CIs that fail with causes and members of groups, as long as these services are cached. */
  readonly servicesHit: WeakMap<ServicesOfCi, KnownHits>;
  readonly silences: KnownSilences;
  /** Changes of one record after the other. */
  readonly turns: Turns;
  /** Failed logins by account. */
  readonly failedLogins: Map<string, FailedLogins>;
  /** Tenants with an analysis at work. */
  readonly analyses: Set<string>;
  /** Open streams by tenant: each is notified when this process has published a change. */
  readonly streams: Map<string, Set<() => void>>;
  /** Streams of live changes that are open, by user. */
  readonly liveStreams: Map<string, number>;
  /** The second of the last event of each source, as it was measured. */
  readonly lastSeconds: Map<string, number>;
  /** Counts of each source in this process that are not stored yet. */
  readonly sources: SourceCounts;
  /** The last hour of the pipeline. */
  readonly pipeline: PipelineHistory;
  /** Remembers the patterns of recent titles. */
  readonly sign: SignEvent;
  /** The memory of a feature. */
  of<T>(slot: MemorySlot<T>): T;
}
