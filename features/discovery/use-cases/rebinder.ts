import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { spokenOf } from '#features/discovery/rules/names.ts';

/** Names remembered per tenant; beyond, every unbound event of the tenant is looked at. */
const MAX_NAMES = 50_000;
/** The latest time to find changes without a message; ms. */
export const SWEEP_EVERY_MS = 600_000;

/** CIs remembered per tenant that have got relationships; beyond, the records of the rest are found a minute later. */
const MAX_JOINED = 10_000;

/** The search: events about these hosts, or all without a CI. */
export interface DueRebind {
  readonly hostnames: Set<string>;
  readonly addresses: Set<string>;
  all: boolean;
}
interface Taken {
  readonly tenant: string;
  readonly due: DueRebind;
  /** It was looked for before. */
  readonly isSecond: boolean;
}
/** How far all unbound events of a tenant have been looked at. */
interface Sweep {
  readonly tenant: string;
  /** Of the next page; null for the first. */
  readonly cursor: string | null;
}
/** CIs that have got relationships, and the records that keep them in mind. */
export interface JoinedCis {
  readonly tenant: string;
  readonly ciIds: readonly string[];
  readonly records: readonly string[];
}
type Dues = Map<string, DueRebind>;

interface More {
  readonly hostnames: Iterable<string>;
  readonly addresses: Iterable<string>;
  readonly all: boolean;
}

function add(dues: Dues, tenant: string, more: More): void {
  const due = dues.get(tenant) ?? { hostnames: new Set(), addresses: new Set(), all: false };
  dues.set(tenant, due);
  for (const name of more.hostnames) due.hostnames.add(name);
  for (const address of more.addresses) due.addresses.add(address);
  due.all ||= more.all || due.hostnames.size + due.addresses.size > MAX_NAMES;
  if (!due.all) return;
  due.hostnames.clear();
  due.addresses.clear();
}

/** Remembers what CIs that came or changed are known by, because events without a CI may be about them, and which were joined. */
export class Rebinder {
  readonly #fresh: Dues = new Map();
  readonly #second: Dues = new Map();
  /** Looked for once; an event may have been on its way then. */
  readonly #again: Dues = new Map();
  readonly #sweeps = new Map<string, Sweep>();
  readonly #joined = new Map<string, { readonly ciIds: Set<string>; readonly records: string[] }>();
  #sweptAt = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => undefined;

  onWork(wake: () => void): void {
    this.#wake = wake;
  }

  note(tenant: string, cis: readonly Ci[]): void {
    add(this.#fresh, tenant, { ...spokenOf(cis), all: false });
    this.#wake();
  }

  noteJoined({ tenant, ciIds, records }: JoinedCis): void {
    const known = this.#joined.get(tenant) ?? { ciIds: new Set(), records: [] };
    if (known.ciIds.size + ciIds.length > MAX_JOINED) return;
    for (const id of ciIds) known.ciIds.add(id);
    known.records.push(...records);
    this.#joined.set(tenant, known);
    this.#wake();
  }

  /** All that one burst has joined. */
  takeJoined(): JoinedCis | null {
    for (const [tenant, { ciIds, records }] of this.#joined) {
      this.#joined.delete(tenant);
      return { tenant, ciIds: [...ciIds], records };
    }
    return null;
  }

  /** Every unbound event of the tenant is to be looked at, bit by bit; one that is being looked at goes on. */
  noteAll(tenant: string): void {
    if (!this.#sweeps.has(tenant)) this.#sweeps.set(tenant, { tenant, cursor: null });
  }

  get isSweeping(): boolean {
    return this.#sweeps.size > 0;
  }

  takeSweep(): Sweep | null {
    for (const [tenant, sweep] of this.#sweeps) {
      this.#sweeps.delete(tenant);
      return sweep;
    }
    return null;
  }

  /** Behind the other tenants. */
  putBackSweep(sweep: Sweep): void {
    this.#sweeps.set(sweep.tenant, sweep);
  }

  /** A search made once is due a second time. Returns whether all tenants are to be searched; `now` in ms. */
  remind(now: number): boolean {
    for (const [tenant, due] of this.#again) add(this.#second, tenant, due);
    this.#again.clear();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return false;
    this.#sweptAt = now;
    return true;
  }

  take(): Taken | null {
    for (const dues of [this.#fresh, this.#second])
      for (const [tenant, due] of dues) {
        dues.delete(tenant);
        return { tenant, due, isSecond: dues === this.#second };
      }
    return null;
  }

  /** To be looked for once more at the next reminder. */
  putBack({ tenant, due }: Taken): void {
    add(this.#again, tenant, due);
  }
}

export const REBINDER: MemorySlot<Rebinder> = { name: 'rebinder', open: () => new Rebinder() };
