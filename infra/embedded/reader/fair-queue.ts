/** A query is of a request, whose caller waits, or of the server itself, such as its jobs and sinks. */
export type QueryOrigin = 'request' | 'background';

/** Limits of the queries of one origin. */
export interface Share {
  /** Running at a time, of all tenants. */
  readonly running: number;
  /** The same of one tenant. */
  readonly runningOfTenant: number;
  /** Waiting or running, of one tenant; further ones are refused. */
  readonly maxOfTenant: number;
  /** The same of all tenants. */
  readonly max: number;
}
export type Shares = Readonly<Record<QueryOrigin, Share>>;

interface Lane<T> {
  readonly key: string;
  readonly origin: QueryOrigin;
  readonly waiting: T[];
  running: number;
}

export interface QueryTurn<T> {
  readonly item: T;
  /** Must be called when it runs no more. */
  readonly end: () => void;
}

/** A queue with turns per tenant, so that one with many requests waits for itself, and the others do not. */
export class FairQueue<T> {
  readonly #shares: Shares;
  /** Lanes by origin and tenant, in the order of their turns; only non-empty ones. */
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #sizes: Record<QueryOrigin, number> = { request: 0, background: 0 };
  readonly #running: Record<QueryOrigin, number> = { request: 0, background: 0 };

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** Waiting or running. */
  size(origin: QueryOrigin): number {
    return this.#sizes[origin];
  }

  get hasWaiting(): boolean {
    for (const { waiting } of this.#lanes.values()) if (waiting.length > 0) return true;
    return false;
  }

  /** Returns the reason why one more is refused; null: it is accepted. */
  add(origin: QueryOrigin, tenant: string, item: T): 'all' | 'tenant' | null {
    const share = this.#shares[origin];
    const key = `${origin} ${tenant}`;
    const lane = this.#lanes.get(key) ?? { key, origin, waiting: [], running: 0 };
    if (lane.waiting.length + lane.running >= share.maxOfTenant) return 'tenant';
    if (this.#sizes[origin] >= share.max) return 'all';
    lane.waiting.push(item);
    this.#sizes[origin]++;
    this.#lanes.set(key, lane);
    return null;
  }

  /** The oldest of whose turn it is; null: nothing may run now. */
  take(): QueryTurn<T> | null {
    for (const lane of this.#lanes.values()) {
      const item = this.#mayRun(lane) ? lane.waiting.shift() : undefined;
      if (item === undefined) continue;
      lane.running++;
      this.#running[lane.origin]++;
      this.#lanes.delete(lane.key);
      this.#lanes.set(lane.key, lane);
      return { item, end: () => this.#end(lane) };
    }
    return null;
  }

  /** Forgets one that waits; false: it does not wait. */
  remove(item: T): boolean {
    for (const lane of this.#lanes.values()) {
      const at = lane.waiting.indexOf(item);
      if (at < 0) continue;
      lane.waiting.splice(at, 1);
      this.#left(lane);
      return true;
    }
    return false;
  }

  /** Forgets and returns all that wait. */
  clear(): T[] {
    const waiting = [...this.#lanes.values()].flatMap((lane) => lane.waiting);
    for (const item of waiting) this.remove(item);
    return waiting;
  }

  #mayRun({ origin, running, waiting }: Lane<T>): boolean {
    const share = this.#shares[origin];
    return waiting.length > 0 && running < share.runningOfTenant && this.#running[origin] < share.running;
  }

  #end(lane: Lane<T>): void {
    lane.running--;
    this.#running[lane.origin]--;
    this.#left(lane);
  }

  #left(lane: Lane<T>): void {
    this.#sizes[lane.origin]--;
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.key);
  }
}
