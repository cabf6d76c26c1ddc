import type { LiveChange } from '#domain/live/live-change.ts';
import { positionText, readPosition } from '#domain/live/position.ts';
import { Ring } from '#domain/live/ring.ts';
import type { Listening, LiveListener } from '#domain/ports/live/live-changes.ts';

/** Changes of a tenant that a listener who comes again can still be told. */
const RING = 2_000;
/** They are kept for so long after the last listener, ms. */
const KEPT_MS = 300_000;
/** Hubs without listeners that are kept; the one that was left first goes first. */
const MOST_LEFT = 100;

interface Heard {
  readonly listener: LiveListener;
  readonly lanes: number[];
}

/** The changes of one tenant and those who listen to them. */
export class LiveHub {
  readonly origin: string;
  readonly #lanes: number[];
  #ring: Ring;
  readonly #heard = new Set<Heard>();

  /** `lanes`: the number of the last change of each lane that is not told here. */
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

  /** A change that was told already is passed over. Changes with one number are added in one turn. */
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

  /** Changes are not known: it goes on behind these numbers. */
  miss(lanes: readonly number[]): void {
    for (const [lane, number] of lanes.entries()) this.#lanes[lane] = number;
    this.#ring = new Ring(lanes, RING);
    for (const heard of this.#heard) {
      for (const [lane, number] of lanes.entries()) heard.lanes[lane] = number;
      heard.listener.missed();
    }
  }

  /** Tells what is known since the position, and then what comes. `close` calls off. */
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

/** One hub per tenant that somebody listens to, or did lately. */
export class LiveHubs {
  readonly #hubs = new Map<string, LiveHub>();
  /** Without listeners, in the order in which they were left. */
  readonly #left = new Map<string, NodeJS.Timeout>();
  readonly #emptied: () => void;
  readonly #keptMs: number;

  /** `emptied` is called when the last hub goes. */
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
    if (this.#left.size > MOST_LEFT && oldest !== undefined) this.#drop(oldest);
  }

  #drop(tenant: string): void {
    clearTimeout(this.#left.get(tenant));
    this.#left.delete(tenant);
    this.#hubs.delete(tenant);
    if (this.#hubs.size === 0) this.#emptied();
  }

  /** Ends all listening, and nothing is kept. */
  end(): void {
    for (const [, hub] of [...this.#hubs]) hub.end();
    for (const tenant of [...this.#hubs.keys()]) this.#drop(tenant);
  }
}
