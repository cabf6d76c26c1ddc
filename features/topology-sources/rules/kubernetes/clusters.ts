/** The clusters that this process watches. */
import type { TopologySource } from '#features/topology-sources/rules/source.ts';
import type { HeardEvent } from './heard-event.ts';
import type { ClusterObjects } from './objects.ts';

/** Events of a cluster since the last call. */
export interface HeardEvents {
  /** Sorted by arrival. */
  readonly events: readonly HeardEvent[];
  /** These are all events that the API server has, because it does not know what followed the previous version. */
  readonly isListed: boolean;
  /** Resource version from which they can be followed later; null: none yet. */
  readonly version: string | null;
}

export interface ClusterWatch {
  readonly tenant: string;
  readonly source: TopologySource;
  readonly objects: ClusterObjects;
  /** False while the API server cannot be read. */
  readonly isCurrent: boolean;
  /** Place of the latest change of an object. */
  readonly place: number;
  /** Changes whenever the objects would become other series. */
  readonly shape: number;
  /** Returns new events. The first call begins to follow them after `version`; null: lists them first. */
  events(version: string | null): HeardEvents;
  close(): void;
}

export interface Clusters {
  /** Address of the cluster that Faultline runs in; null: none. */
  own(): string | null;
  /** Resolves once all objects are listed; throws Error with a message for users. */
  watch(tenant: string, source: TopologySource): Promise<ClusterWatch>;
  /** Clusters whose objects are listed. */
  live(): readonly ClusterWatch[];
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly clusters: Clusters;
  }
}
