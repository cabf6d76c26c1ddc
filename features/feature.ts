import type { AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import type { BackgroundWork, Job } from '#application/job.ts';
import type { Event } from '#domain/event/event.ts';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { After } from '#domain/ports/clock.ts';
import type { Log } from '#domain/ports/log.ts';
import type { OwnedRecords, Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { Backend } from '#infra/backends/backend.ts';
import type { OpenedPorts } from '#infra/backends/open-ports.ts';
import type { Config } from '#infra/config.ts';

/** Ports of features are made of these. */
export interface Outside {
  readonly config: Config;
  /** Made of adapters alone. */
  readonly ports: OpenedPorts['ports'];
  readonly after: After;
  readonly log: Log;
  readonly databasePath: Backend['databasePath'];
}

/** Ports that a feature brings. */
export interface Provided {
  readonly ports: Partial<Ports>;
  readonly close?: () => Promise<void>;
}

/** Given to those who hear of changes. */
type Hearing = Pick<Ports, 'ids' | 'clock' | 'memory' | 'background'>;

/** All that the house knows of a feature. */
export interface Feature {
  readonly id: string;
  /** Features that it imports from, at most four. */
  readonly uses: readonly string[];
  readonly endpoints: readonly AnyEndpoint[];
  readonly jobs: readonly Job[];
  readonly background: readonly BackgroundWork[];
  readonly sinks: readonly Sink[];
  readonly measurements: readonly Measurement[];
  readonly ownedRecords: OwnedRecords;
  readonly provide?: (outside: Outside) => Promise<Provided>;
  /** The topology as others see it, so that the feature hears of every change. */
  readonly topology?: (ports: TopologyPorts, hearing: Hearing) => Partial<TopologyPorts>;
  /** Adds to an event that is shown. */
  readonly shown?: (ports: Ports, event: Event) => Promise<Event>;
  /** Parts of the AsyncAPI document: who is told of what. */
  readonly asyncapi?: () => AsyncapiParts;
  /** Events of a tenant were taken in unbound. */
  readonly unbound?: (ports: Pick<Ports, 'memory'>, tenant: string) => void;
}

type FeatureParts = Pick<Feature, 'id' | 'uses'> & Partial<Feature>;

export const feature = (parts: FeatureParts): Feature => ({
  endpoints: [],
  jobs: [],
  background: [],
  sinks: [],
  measurements: [],
  ownedRecords: { kinds: [], leases: [] },
  ...parts,
});
