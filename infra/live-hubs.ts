import type { LiveChange } from '#domain/live/live-change.ts';
import type { Listening, LiveListener } from '#domain/ports/live/live-changes.ts';
import { positionText, readPosition } from '#infra/live-position.ts';
import { Ring } from '#infra/live-ring.ts';

/** Maximum of changes of a tenant that are held for a reconnecting listener. */
const RING = 2_000;
/** Time that they are held after the last listener, ms. */
const KEPT_MS = 300_000;
/** Maximum of hubs without listeners; the longest unused is removed first. */
const MAX_LEFT = 100;

interface LaneListener {
  readonly listener: LiveListener;
  readonly lanes: number[];
}

/** The changes of one tenant and its listeners. */
export class LiveHub {
  readonly origin: string;
  readonly #lanes: number[];
  #ring: Ring;
  readonly #heard = new Set<LaneListener>();

  /** `lanes`: the number of the last change of each lane that is not published here. */
  constructor(origin: string, lanes: readonly number[]) {
    this.origin = origin;
    this.#lanes = [...lanes];
    this.#ring = new Ring(lanes, RING);
  }

  get listeners(): number {
    return this.#heard.size;
  }
  get lanes(): readonly number[] {
    return this.#lanes;
  }

  /** A repeated change is ignored. Changes with one number are added in one turn. */
  add(lane: number, number: number, changes: readonly LiveChange[]): void {
    if (number <= (this.#lanes[lane] ?? -Infinity)) return;
    this.#lanes[lane] = number;
    for (const change of changes) this.#ring.add({ lane, number, change });
    for (const { listener, lanes } of this.#heard) {
      // A listener of another process may be further than this one.
      if (number <= (lanes[lane] ?? -Infinity)) continue;
      lanes[lane] = number;
      for (const change of changes) listener.changed(change);
    }
  }

  /** Changes are unknown: it continues behind these numbers. */
  miss(lanes: readonly number[]): void {
    for (const [lane, number] of lanes.entries()) this.#lanes[lane] = number;
    this.#ring = new Ring(lanes, RING);
    for (const heard of this.#heard) {
      for (const [lane, number] of lanes.entries()) heard.lanes[lane] = number;
      heard.listener.missed();
    }
  }

  /** Sends known changes since the position, and then later ones. `close` unsubscribes. */
  listen(from: string | null, listener: LiveListener): Listening {
    const position = from === null ? null : readPosition(from);
    const missed = position?.origin === this.origin ? this.#ring.after(position.lanes) : null;
    const lanes = this.#lanes.map((number, lane) =>
      missed === null ? number : Math.max(number, position?.lanes[lane] ?? number),
    );
    for (const { change } of missed ?? []) listener.changed(change);
    const heard = { listener, lanes };
    this.#heard.add(heard);
    return {
      isGap: from !== null && missed === null,
      position: () => positionText({ origin: this.origin, lanes }),
      close: () => void this.#heard.delete(heard),
    };
  }

  end(): void {
    for (const { listener } of this.#heard) listener.ended();
    this.#heard.clear();
  }
}

/** One hub per tenant with current or recent listeners. */
export class LiveHubs {
  readonly #hubs = new Map<string, LiveHub>();
  /** Hubs without listeners, in the order in which they were left. */
  readonly #left = new Map<string, NodeJS.Timeout>();
  readonly #emptied: () => void;
  readonly #keptMs: number;

  /** `emptied` is called when the last hub is removed. */
  constructor(emptied: () => void = () => undefined, keptMs = KEPT_MS) {
    this.#emptied = emptied;
    this.#keptMs = keptMs;
  }

  get size(): number {
    return this.#hubs.size;
  }

  of(tenant: string): LiveHub | undefined {
    return this.#hubs.get(tenant);
  }

  all(): IterableIterator<[string, LiveHub]> {
    return this.#hubs.entries();
  }

  /** Listens in the hub of the tenant, which is made when there is none. */
  listen(tenant: string, from: string | null, listener: LiveListener, make: () => LiveHub): Listening {
    const hub = this.#hubs.get(tenant) ?? make();
    this.#hubs.set(tenant, hub);
    clearTimeout(this.#left.get(tenant));
    this.#left.delete(tenant);
    const { close, ...listening } = hub.listen(from, listener);
    return {
      ...listening,
      close: () => {
        close();
        if (this.#hubs.get(tenant) === hub && hub.listeners === 0 && !this.#left.has(tenant)) this.#leave(tenant);
      },
    };
  }

  #leave(tenant: string): void {
    this.#left.set(tenant, setTimeout(() => this.#drop(tenant), this.#keptMs).unref());
    const [oldest] = this.#left.keys();
    if (this.#left.size > MAX_LEFT && oldest !== undefined) this.#drop(oldest);
  }

  #drop(tenant: string): void {
    clearTimeout(this.#left.get(tenant));
    this.#left.delete(tenant);
    this.#hubs.delete(tenant);
    if (this.#hubs.size === 0) this.#emptied();
  }

  /** Ends all listening, and stores nothing. */
  end(): void {
    for (const [, hub] of [...this.#hubs]) hub.end();
    for (const tenant of [...this.#hubs.keys()]) this.#drop(tenant);
  }
}
