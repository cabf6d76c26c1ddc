import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbound } from '#domain/ports/outbound.ts';
import { recordOf } from '#domain/record-of.ts';
import { authorization, withoutSlash } from '#features/topology-sources/rules/connection.ts';
import type { ClusterWatch, HeardEvents } from '#features/topology-sources/rules/kubernetes/clusters.ts';
import {
  type ClusterObjects,
  isSameTopology,
  type PlacedRow,
} from '#features/topology-sources/rules/kubernetes/objects.ts';
import {
  EVENTS_PATH,
  type KubernetesRow,
  RESOURCE_NAMES,
  RESOURCES,
  type ResourceName,
} from '#features/topology-sources/rules/kubernetes/resources.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';
import { EventQueue } from './event-queue.ts';
import { type ApiReply, Follower } from './follower.ts';

/** Maximum time that a run waits for the objects; ms. Less than the lease of a run, which is not renewed meanwhile. */
const LISTED_MS = 45_000;
/** Maximum time without use until a cluster is no longer followed; ms. */
const IDLE_MS = 20 * 60_000;

export interface WatchOptions {
  readonly tenant: string;
  readonly source: TopologySource;
  readonly outbound: Pick<Outbound, 'stream'>;
  /** Reads a file of the account of this pod. */
  readonly ofAccount: (name: string) => Promise<string>;
  readonly ownAddress: string;
  readonly retryMs: number;
  readonly closed: () => void;
}

/** The objects of a cluster in memory. */
export class WatchedCluster implements ClusterWatch {
  readonly tenant: string;
  readonly source: TopologySource;
  readonly objects: ClusterObjects;
  place = 0;
  shape = 0;
  isListed = false;
  readonly #options: WatchOptions;
  readonly #rows: Record<ResourceName, Map<string, PlacedRow>>;
  readonly #followers: Follower<unknown>[];
  readonly #stop = new AbortController();
  #queue: EventQueue | null = null;
  #usedAt = performance.now();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.tenant = options.tenant;
    this.source = options.source;
    this.#rows = recordOf(RESOURCE_NAMES, () => new Map<string, PlacedRow>());
    this.objects = this.#rows;
    this.#followers = RESOURCE_NAMES.map((name) => this.#follow(name));
  }

  #follow(name: ResourceName): Follower<unknown> {
    const { path, isMetadataOnly, rowOf } = RESOURCES[name];
    const rows = this.#rows[name];
    const put = (id: string, row: KubernetesRow): void => {
      if (!isSameTopology(rows.get(id)?.row, row)) this.shape += 1;
      rows.set(id, { row, place: ++this.place });
    };
    const drop = (id: string): void => {
      if (rows.delete(id)) this.shape += 1;
    };
    return this.#started(
      new Follower<KubernetesRow>({
        ...this.#common(),
        path,
        isMetadataOnly,
        version: null,
        sink: {
          read: rowOf,
          listed: (all) => {
            for (const id of rows.keys()) if (!all.has(id)) drop(id);
            this.place += 1;
            for (const [id, row] of all) put(id, row);
          },
          changed: (id, row) => {
            this.place += 1;
            if (row === null) drop(id);
            else put(id, row);
          },
        },
      }),
    );
  }

  #common() {
    return {
      get: (path: string, accept: string, timeoutMs: number) => this.#get(path, accept, timeoutMs),
      signal: this.#stop.signal,
      isWanted: () => this.#isWanted(),
      retryMs: this.#options.retryMs,
      now: () => performance.now(),
      pause: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
    };
  }

  #started<T>(follower: Follower<T>): Follower<unknown> {
    follower.run().catch(() => this.close());
    return follower as Follower<unknown>;
  }

  #isWanted(): boolean {
    if (performance.now() - this.#usedAt > IDLE_MS) this.close();
    return !this.#stop.signal.aborted;
  }

  /** The token is read for every request, because Kubernetes replaces it every hour. */
  async #get(path: string, accept: string, timeoutMs: number): Promise<ApiReply> {
    const { outbound, ofAccount, ownAddress } = this.#options;
    const { url, auth } = this.source;
    const isOwn = url === null;
    const ofPod = async () => ({ type: 'bearer', token: (await ofAccount('token')).trim() }) as const;
    const signIn = isOwn && auth === null ? await ofPod() : auth;
    const ca = this.source.ca ?? (isOwn ? await ofAccount('ca.crt') : undefined);
    const address = isOwn ? ownAddress : withoutSlash(url);
    try {
      return await outbound.stream(address + path, {
        headers: { accept, ...authorization(signIn) },
        timeoutMs,
        ...(ca !== undefined && { ca }),
        signal: this.#stop.signal,
      });
    } catch (error) {
      throw new Error(`Couldn't reach ${new URL(address).host}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Throws Error if a resource cannot be read, or not in time. Listing continues after that. */
  async listed(): Promise<void> {
    this.#usedAt = performance.now();
    const ready = Promise.all(this.#followers.map((one) => one.ready)).then(() => true);
    if (!(await Promise.race([ready, sleep(LISTED_MS, false, { ref: false })])))
      throw new Error(`the API server has not listed all objects within ${LISTED_MS / 1_000} s`);
    for (const { error } of this.#followers) if (error !== null) throw error;
    if (this.#stop.signal.aborted && !this.isListed) throw new Error('Faultline is stopping');
    this.isListed = true;
  }

  get isCurrent(): boolean {
    return this.#followers.every(({ error }) => error === null);
  }

  events(version: string | null): HeardEvents {
    this.#usedAt = performance.now();
    this.#queue ??= this.#followEvents(version);
    return this.#queue.take();
  }

  #followEvents(version: string | null): EventQueue {
    const queue = new EventQueue(this.#stop.signal, version);
    const options = { ...this.#common(), path: EVENTS_PATH, isMetadataOnly: false, version, sink: queue };
    this.#followers.push(this.#started(new Follower(options)));
    return queue;
  }

  close(): void {
    this.#stop.abort();
    this.#options.closed();
  }
}
