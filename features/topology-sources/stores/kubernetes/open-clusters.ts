import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Outbound } from '#domain/ports/outbound.ts';
import type { Clusters } from '#features/topology-sources/rules/kubernetes/clusters.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';
import { WatchedCluster } from './watched-cluster.ts';

/** The account of a pod (Kubernetes, "Accessing the API from a Pod"). */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const OWN_ADDRESS = 'https://kubernetes.default.svc';

interface ClusterOptions {
  readonly outbound: Pick<Outbound, 'stream'>;
  /** Folder with the token and the certificate authority of the pod. */
  readonly account?: string;
  readonly retryMs?: number;
}

export interface OpenedClusters extends Clusters {
  close(): void;
}

/** Clusters by tenant and source; a source with other credentials is another one. */
export const openClusters = ({ outbound, account = ACCOUNT, retryMs = 1_000 }: ClusterOptions): OpenedClusters => {
  const watches = new Map<string, WatchedCluster>();
  const own = (): string | null => (existsSync(`${account}/token`) ? OWN_ADDRESS : null);
  const ofAccount = (name: string): Promise<string> => readFile(`${account}/${name}`, 'utf8');
  const opened = (id: string, tenant: string, source: TopologySource): WatchedCluster => {
    const made: WatchedCluster = new WatchedCluster({
      tenant,
      source,
      outbound,
      ofAccount,
      ownAddress: OWN_ADDRESS,
      retryMs,
      closed: () => {
        // Followers that end late close it again, when another one may have its place.
        if (watches.get(id) === made) watches.delete(id);
      },
    });
    watches.set(id, made);
    return made;
  };
  return {
    own,
    async watch(tenant, source) {
      const { name, url, auth, ca, cluster } = source;
      const id = JSON.stringify([tenant, name, url, auth, ca, cluster]);
      const watch = watches.get(id) ?? opened(id, tenant, source);
      await watch.listed();
      return watch;
    },
    live: () => [...watches.values()].filter(({ isListed }) => isListed),
    close() {
      for (const watch of watches.values()) watch.close();
    },
  };
};
