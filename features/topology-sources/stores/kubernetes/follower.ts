/** Follows one resource of the Kubernetes API: list, then watch, and list again when the server has forgotten the version. */
import { failureOfStatus, SourceError } from '#features/topology-sources/rules/connection.ts';
import { listOf, textOf } from '#features/topology-sources/rules/kubernetes/raw.ts';
import { objectIdOf } from '#features/topology-sources/rules/kubernetes/resources.ts';
import { linesOf, wholeOf } from './lines.ts';

export interface ApiReply {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}
/** Called in order; the next object is read when it resolves. */
export interface FollowedSink<T> {
  /** Reduces an object at once, so that only one page is in memory. */
  readonly read: (object: unknown) => T;
  readonly listed: (all: ReadonlyMap<string, T>, version: string) => Promise<void> | void;
  /** Null: deleted. */
  readonly changed: (id: string, one: T | null, version: string) => Promise<void> | void;
}
export interface FollowOptions<T> {
  readonly path: string;
  readonly isMetadataOnly: boolean;
  readonly get: (path: string, accept: string, timeoutMs: number) => Promise<ApiReply>;
  readonly sink: FollowedSink<T>;
  /** Version after which to watch; null: list first. */
  readonly version: string | null;
  readonly signal: AbortSignal;
  /** Asked before each request; false ends it. */
  readonly isWanted: () => boolean;
  /** First pause after a failure, ms; doubles up to a minute. */
  readonly retryMs: number;
  /** Ends early when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Monotonic, ms. */
  readonly now: () => number;
}

const PAGE = 500;
const MAX_OBJECTS = 500_000;
const MAX_PAGES = 2 * Math.ceil(MAX_OBJECTS / PAGE);
const MAX_PAGE_BYTES = 128 * 1_024 * 1_024;
const MAX_ERROR_BYTES = 64 * 1_024;
/** Duration of a watch, s. */
const WATCH_SECONDS = 120;
/** Longer than the duration of a watch, as a quiet one sends nothing. */
const WATCH_TIMEOUT_MS = 2 * WATCH_SECONDS * 1_000;
const LIST_TIMEOUT_MS = 60_000;
const MAX_PAUSE_MS = 60_000;
/** A resource that the server does not have is looked for again after this time, ms. */
const ABSENT_MS = 300_000;
/** A watch that ends sooner without a new version counts as a failure, ms. */
const QUICK_MS = 1_000;

/** The version is not known to the server any more. */
class Gone extends Error {}
/** The server does not have the resource. */
class Absent extends Error {}
/** The watch ended at once. */
class Brief extends Error {}

const METADATA = 'g=meta.k8s.io;v=v1';
const acceptOf = (isMetadataOnly: boolean, kind: string): string =>
  isMetadataOnly ? `application/json;as=${kind};${METADATA},application/json` : 'application/json';

const failureOf = (status: number, told: unknown, resource: string): Error => {
  if (status === 410) return new Gone();
  if (status === 404) return new Absent();
  const message = textOf(told, 'message').slice(0, 200);
  return new SourceError(
    `HTTP ${status} for ${resource}${message === '' ? '' : `: ${message}`}`,
    failureOfStatus(status),
  );
};
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export class Follower<T> {
  /** Null unless the last attempt failed. */
  error: Error | null = null;
  /** Resolves when the objects are listed, or listing them has failed. */
  readonly ready: Promise<void>;
  readonly #options: FollowOptions<T>;
  readonly #resource: string;
  readonly #isReady: () => void;
  #version: string | null;
  #failures = 0;

  constructor(options: FollowOptions<T>) {
    this.#options = options;
    this.#resource = options.path.split('/').at(-1) ?? options.path;
    this.#version = options.version;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#isReady = resolve;
  }

  /** Returns when it is not wanted any more. */
  async run(): Promise<void> {
    const { signal, isWanted, retryMs, pause } = this.#options;
    while (!signal.aborted && isWanted()) {
      let pauseMs = 0;
      try {
        if (this.#version === null) await this.#list();
        this.#isReady();
        await this.#watch();
      } catch (error) {
        this.#failures += 1;
        if (error instanceof Gone) this.#version = null;
        else if (error instanceof Absent) pauseMs = await this.#noteAbsent();
        else if (!(error instanceof Brief)) this.#noteFailure(error as Error);
      }
      if (this.#failures > 0) pauseMs ||= Math.min(retryMs * 2 ** (this.#failures - 1), MAX_PAUSE_MS);
      if (pauseMs > 0) await pause(pauseMs, signal);
    }
    this.#isReady();
  }

  async #noteAbsent(): Promise<number> {
    this.error = null;
    this.#version = null;
    await this.#options.sink.listed(new Map(), '');
    this.#isReady();
    return ABSENT_MS;
  }

  #noteFailure(error: Error): void {
    this.error = error;
    this.#isReady();
  }

  async #reply(query: string, kind: string, timeoutMs: number): Promise<ApiReply> {
    const { path, isMetadataOnly, get } = this.#options;
    const reply = await get(`${path}?${query}`, acceptOf(isMetadataOnly, kind), timeoutMs);
    if (reply.status === 200) {
      this.error = null;
      return reply;
    }
    throw failureOf(reply.status, parsed(await wholeOf(reply.body, MAX_ERROR_BYTES)), this.#resource);
  }

  async #list(): Promise<void> {
    const { sink } = this.#options;
    const all = new Map<string, T>();
    let version = '';
    let next = '';
    for (let pages = 0; ; pages++) {
      const rest = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
      const { body } = await this.#reply(`limit=${PAGE}${rest}`, 'PartialObjectMetadataList', LIST_TIMEOUT_MS);
      const page = parsed(await wholeOf(body, MAX_PAGE_BYTES));
      for (const object of listOf(page, 'items')) all.set(objectIdOf(object), sink.read(object));
      version ||= textOf(page, 'metadata', 'resourceVersion');
      next = textOf(page, 'metadata', 'continue');
      if (version === '') throw new Error(`the response for ${this.#resource} isn't a list of the Kubernetes API`);
      if (next === '') break;
      if (all.size > MAX_OBJECTS || pages >= MAX_PAGES) throw new Error(`more than ${MAX_OBJECTS} ${this.#resource}`);
    }
    await sink.listed(all, version);
    this.#version = version;
  }

  async #watch(): Promise<void> {
    const version = encodeURIComponent(this.#version ?? '');
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${version}`;
    const { body } = await this.#reply(query, 'PartialObjectMetadata', WATCH_TIMEOUT_MS);
    const { now, isWanted } = this.#options;
    const [begun, before] = [now(), this.#version];
    const isBrief = () => now() - begun < QUICK_MS && this.#version === before;
    try {
      for await (const line of linesOf(body)) {
        await this.#take(parsed(line));
        if (!isWanted()) return;
      }
    } finally {
      if (!isBrief()) this.#failures = 0;
    }
    if (isBrief()) throw new Brief();
  }

  async #take(told: unknown): Promise<void> {
    const { sink } = this.#options;
    const { type, object } = (told ?? {}) as { readonly type?: unknown; readonly object?: unknown };
    if (type === 'ERROR') {
      const code = Number((object as { readonly code?: unknown } | undefined)?.code);
      throw failureOf(code, object, this.#resource);
    }
    const version = textOf(object, 'metadata', 'resourceVersion');
    if (version === '') throw new Error(`the watch of ${this.#resource} isn't one of the Kubernetes API`);
    if (type === 'ADDED' || type === 'MODIFIED') await sink.changed(objectIdOf(object), sink.read(object), version);
    else if (type === 'DELETED') await sink.changed(objectIdOf(object), null, version);
    this.#version = version;
  }
}
