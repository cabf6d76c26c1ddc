/** A seeded storm: tenants with Zipf weights, trees of CIs, faults that spread down the tree, and repeats of what is open. */

/** Mulberry32: the same numbers in every run. */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export interface Size {
  readonly tenants: number;
  readonly cis: number;
}
export interface StormTenant {
  readonly id: string;
  /** Share of CIs and events. */
  readonly weight: number;
  readonly cis: number;
}
/** An event as a monitor sends it. */
export interface StormEvent {
  readonly source: string;
  readonly sourceId: string;
  readonly severity: 'critical' | 'major' | 'minor' | 'warning' | 'info';
  readonly title: string;
  readonly description: string;
  readonly hostname: string;
  readonly service: string;
  readonly environment: string;
  readonly tags: readonly string[];
  readonly details: { readonly value: number; readonly check: string };
}

const SEVERITIES = ['critical', 'major', 'minor', 'warning', 'info'] as const;
const WHAT = [
  'CPU usage',
  'Memory usage',
  'Response time',
  'Connection pool',
  'Queue length',
  'Disk latency',
  'Error rate',
  'Packet loss',
  'Swap usage',
  'Thread count',
  'Replication lag',
  'Cache misses',
  'Open files',
  'Retransmits',
];
const WHERE = ['frontend', 'backend', 'database', 'storage', 'network', 'scheduler', 'broker', 'gateway', 'kernel'];
const HOW = ['above threshold', 'critical', 'not responding', 'degraded', 'unreachable', 'saturated'];
/** CIs under one CI. */
const ARITY = 4;
/** CIs that make up one service. */
const SERVICE_CIS = 40;
const MAX_FAULT = 12;
/** Open events that repeat, of all tenants by weight: the newest, and among them new ones more often than old ones. */
export const LIVE = 40_000;

const tenantsOf = ({ tenants, cis }: Size): readonly StormTenant[] => {
  const raw = Array.from({ length: tenants }, (_, i) => 1 / (i + 1));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((w, i) => ({
    id: `bench-${String(i + 1).padStart(3, '0')}`,
    weight: w / sum,
    cis: Math.max(5, Math.round((cis * w) / sum)),
  }));
};

export const hostOf = (ci: number): string => `host-${ci}.example.net`;
/** The CI above in the tree; the first of each service has none. */
export const parentOf = (ci: number): number | null => {
  const inService = ci % SERVICE_CIS;
  return inService === 0 ? null : ci - inService + Math.floor((inService - 1) / ARITY);
};
const serviceOf = (ci: number): string => `service-${Math.floor(ci / SERVICE_CIS)}`;

interface Stream {
  readonly room: number;
  readonly live: StormEvent[];
  next: number;
  /** CIs that the current fault still reaches. */
  readonly fault: number[];
}

export class Storm {
  readonly tenants: readonly StormTenant[];
  #random: () => number;
  #streams: readonly Stream[];
  readonly #size: Size;
  readonly #live: number;
  #made = 0;

  constructor(size: Size, live = LIVE, seed = 42) {
    this.#size = size;
    this.#live = live;
    this.tenants = tenantsOf(size);
    this.#random = seeded(seed);
    this.#streams = this.tenants.map(({ weight }) => ({
      room: Math.ceil(live * weight),
      live: [],
      next: 0,
      fault: [],
    }));
  }

  /** Goes on from here in another way: what one load does not get to send must not be repeated by the next. */
  fork(seed: number): Storm {
    const fork = new Storm(this.#size, this.#live, seed);
    fork.#streams = this.#streams.map((stream) => ({ ...stream, live: [...stream.live], fault: [...stream.fault] }));
    fork.#made = this.#made + seed * 10_000_000;
    return fork;
  }

  /** Index of a tenant, by weight. */
  tenant(): number {
    let left = this.#random();
    for (const [index, { weight }] of this.tenants.entries()) {
      left -= weight;
      if (left <= 0) return index;
    }
    return 0;
  }

  /** A complaint that is not open yet; successive ones belong to one fault until it has reached its CIs. */
  fresh(tenant: number): StormEvent {
    const stream = this.#streams[tenant] as Stream;
    const event = this.#complaint(this.#reached(stream, (this.tenants[tenant] as StormTenant).cis));
    if (stream.live.length < stream.room) stream.live.push(event);
    else stream.live[stream.next++ % stream.room] = event;
    return event;
  }

  /** The same complaint again with another reading; new ones repeat more often than old ones. */
  repeat(tenant: number): StormEvent {
    const { live, next } = this.#streams[tenant] as Stream;
    if (live.length === 0) return this.fresh(tenant);
    const age = Math.floor(live.length * this.#random() ** 2);
    const event = live[(next + 2 * live.length - 1 - age) % live.length] as StormEvent;
    return { ...event, details: { ...event.details, value: this.#upTo(1_000) / 10 } };
  }

  /** A new complaint with this probability, else a repeat. */
  some(tenant: number, freshShare: number): StormEvent {
    return this.#random() < freshShare ? this.fresh(tenant) : this.repeat(tenant);
  }

  #upTo(below: number): number {
    return Math.floor(this.#random() * below);
  }
  #one<T>(of: readonly T[]): T {
    return of[this.#upTo(of.length)] as T;
  }

  /** The next CI of the running fault, or the root of a new one with what lies under it. */
  #reached({ fault }: Stream, cis: number): number {
    if (fault.length === 0) {
      const root = this.#upTo(cis);
      const size = 1 + Math.floor((MAX_FAULT - 1) * this.#random() ** 3);
      fault.push(root);
      for (let i = 1; i < size; i++) fault.push(Math.min(cis - 1, root + i));
    }
    return fault.shift() as number;
  }

  #complaint(ci: number): StormEvent {
    const check = `${this.#one(WHAT)} of ${this.#one(WHERE)}`;
    const title = `${check} ${this.#one(HOW)}`;
    return {
      source: 'storm',
      sourceId: `storm-${this.#made++}`,
      severity: this.#one(SEVERITIES),
      title,
      description: `${title} on ${hostOf(ci)}, measured by the agent`,
      hostname: hostOf(ci),
      service: serviceOf(ci),
      environment: 'production',
      tags: ['storm', 'agent'],
      details: { value: this.#upTo(1_000) / 10, check },
    };
  }
}
