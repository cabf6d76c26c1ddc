import { setTimeout } from 'node:timers/promises';
import { errors } from '@elastic/elasticsearch';
import type { Connection } from './connection.ts';
import type { Family, Names } from './names.ts';

const isThere = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.message.startsWith('resource_already_exists_exception');

interface SaveCounter {
  saves: number;
  /** Number of saves that searches include. */
  seen: number;
  /** Number of the last save of each scope that they may not include. */
  readonly unseen: Map<string, number>;
  refreshing: Promise<void> | null;
}

/** Interval of refreshes for background work, ms: each of them leaves a small segment that is merged later. */
const CALM_MS = 1_000;
/** Refreshes without a pause after a time without any. */
const BURST = 10;

/** Creates indices, and makes saved documents visible to searches. */
export class Indices {
  readonly names: Names;
  readonly #connection: Connection;
  readonly #known = new Set<string>();
  readonly #written = new Map<Family, SaveCounter>();
  /** Current refreshes, and refreshes that begin after them. */
  readonly #last = new Map<Family, Promise<unknown>>();
  readonly #next = new Map<Family, Promise<void>>();
  /** Times up to which background work has used its refreshes, monotonic ms. */
  readonly #used = new Map<Family, number>();
  /** Refreshes that background work waits for. */
  readonly #calm = new Map<Family, Promise<void>>();
  readonly #isUrgent: () => boolean;
  readonly #pause: (ms: number) => Promise<unknown>;

  /** `isUrgent`: false for background work. */
  constructor(
    connection: Connection,
    names: Names,
    isUrgent: () => boolean,
    pause: (ms: number) => Promise<unknown> = setTimeout,
  ) {
    this.#connection = connection;
    this.names = names;
    this.#isUrgent = isUrgent;
    this.#pause = pause;
  }

  /** Creates the index of an alias when it does not exist. */
  async ensure(alias: string): Promise<void> {
    if (this.#known.has(alias)) return;
    try {
      await this.#connection.askPatiently((client) =>
        client.indices.create({ index: `${alias}-000001`, aliases: { [alias]: {} } }),
      );
    } catch (error) {
      if (!isThere(error)) throw error;
    }
    this.#known.add(alias);
  }

  /** An index was dropped externally, by retention or manually. */
  forget(alias: string): void {
    this.#known.delete(alias);
  }

  /** Must be called after a save; `scopes`: the saved tenants, of records with their kinds. */
  wrote(family: Family, scopes: Iterable<string>): void {
    const written = this.#of(family);
    written.saves += 1;
    for (const scope of scopes) written.unseen.set(scope, written.saves);
  }

  /** Resolves when searches see all that this process has saved before, of a scope or of all; one refresh serves all who wait. */
  async fresh(family: Family, scope?: string): Promise<void> {
    const written = this.#of(family);
    const wanted = scope === undefined ? written.saves : (written.unseen.get(scope) ?? 0);
    while (written.seen < wanted) {
      written.refreshing ??= this.#refreshOnce(family, written);
      await written.refreshing;
    }
  }

  /**
   * Resolves when searches include all that any process has saved before; callers that wait for one refresh share the
   * next.
   */
  refresh(family: Family): Promise<void> {
    const next = this.#next.get(family) ?? this.#refreshAfter(family, this.#last.get(family));
    this.#next.set(family, next);
    return next;
  }

  /** The same; long background work shares one refresh per second. */
  refreshCalmly(family: Family): Promise<void> {
    if (this.#isUrgent()) return this.refresh(family);
    const calm = this.#calm.get(family) ?? this.#afterPause(family);
    this.#calm.set(family, calm);
    return calm;
  }

  async #afterPause(family: Family): Promise<void> {
    const now = performance.now();
    const used = Math.max(this.#used.get(family) ?? Number.NEGATIVE_INFINITY, now - BURST * CALM_MS) + CALM_MS;
    this.#used.set(family, used);
    await this.#pause(Math.max(0, used - now));
    this.#calm.delete(family);
    await this.refresh(family);
  }

  async #refreshAfter(family: Family, last: Promise<unknown> | undefined): Promise<void> {
    await last;
    // A save may be too late for this one from here on.
    this.#next.delete(family);
    const refreshed = this.#connection.askPatiently((client) =>
      client.indices.refresh({ index: this.names.every(family) }),
    );
    this.#last.set(
      family,
      refreshed.catch(() => undefined),
    );
    await refreshed;
  }

  async #refreshOnce(family: Family, written: SaveCounter): Promise<void> {
    const saves = written.saves;
    try {
      await this.refresh(family);
      written.seen = saves;
      for (const [scope, last] of written.unseen) if (last <= saves) written.unseen.delete(scope);
    } finally {
      written.refreshing = null;
    }
  }

  #of(family: Family): SaveCounter {
    const known = this.#written.get(family) ?? { saves: 0, seen: 0, unseen: new Map(), refreshing: null };
    this.#written.set(family, known);
    return known;
  }
}
