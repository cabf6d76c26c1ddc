import type { AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import type { AnyTool } from '#api/surfaces/tool.ts';
import type { Job } from '#application/job.ts';
import type { TaskKind } from '#application/tasks/task.ts';
import type { Event } from '#domain/event/event.ts';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { After } from '#domain/ports/clock.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { Backend } from '#infra/backends/backend.ts';
import type { OpenedPorts } from '#infra/backends/open-ports.ts';
import type { Config } from '#infra/config.ts';

/** Values that features contribute to others, by receiver: that one declares it in `declare module`. */
export interface Contributions {
  readonly tools: readonly AnyTool[];
}

/** Ports of features are made of these. */
export interface Outside {
  readonly config: Config;
  /** Made of adapters alone. */
  readonly ports: OpenedPorts['ports'];
  readonly after: After;
  readonly log: Log;
  readonly databasePath: Backend['databasePath'];
  /** Given to this one by all features. */
  readonly contributed: <Name extends keyof Contributions>(to: Name) => readonly Contributions[Name][];
}

/** Ports that a feature brings. */
export interface Provided {
  readonly ports: Partial<Ports>;
  readonly close?: () => Promise<void>;
}

/** Ports of listeners to changes. */
type Hearing = Pick<Ports, 'ids' | 'clock' | 'memory' | 'background'>;

/** All that the house knows of a feature. */
export interface Feature {
  readonly id: string;
  /** Features that it imports from, at most four. */
  readonly uses: readonly string[];
  readonly endpoints: readonly AnyEndpoint[];
  readonly jobs: readonly Job[];
  readonly tasks: readonly TaskKind[];
  readonly sinks: readonly Sink[];
  readonly measurements: readonly Measurement[];
  /** Kinds of records without a tenant key, which name theirs. */
  readonly ownedKinds: readonly string[];
  readonly provide?: (outside: Outside) => Promise<Provided>;
  /** Wraps the topology, so that the feature receives every change. */
  readonly topology?: (ports: TopologyPorts, hearing: Hearing) => Partial<TopologyPorts>;
  readonly contributes?: Partial<Contributions>;
  /** Adds to an event that is shown. */
  readonly shown?: (ports: Ports, event: Event) => Promise<Event>;
  /** Parts of the AsyncAPI document: messages and their receivers. */
  readonly asyncapi?: () => AsyncapiParts;
  /** Called for unbound events of a tenant. */
  readonly unbound?: (ports: Pick<Ports, 'memory'>, tenant: string) => void;
}

type FeatureParts = Pick<Feature, 'id' | 'uses'> & Partial<Feature>;

export const feature = (parts: FeatureParts): Feature => ({
  endpoints: [],
  jobs: [],
  tasks: [],
  sinks: [],
  measurements: [],
  ownedKinds: [],
  ...parts,
});
