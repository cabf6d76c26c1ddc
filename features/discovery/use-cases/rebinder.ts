import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { spokenOf } from '#features/discovery/rules/names.ts';

/** Names remembered per tenant; beyond, every unbound event of the tenant is looked at. */
const MAX_NAMES = 50_000;
/** The latest time to find changes without a message; ms. */
export const SWEEP_EVERY_MS = 600_000;

/** Age at which a record counts as left by a crashed process or a failed store; ms. */
export const LEFT_AFTER_MS = 60_000;

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
/** Progress of a sweep over all unbound events of a tenant. */
interface Sweep {
  readonly tenant: string;
  /** Cursor of the next page; null for the first. */
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

/** Collects the names of new and changed CIs, because unbound events may be about them, and of joined ones. */
export class Rebinder {
  readonly #fresh: Dues = new Map();
  readonly #second: Dues = new Map();
  /** Looked for once; an event may have been on its way then. */
  readonly #again: Dues = new Map();
  readonly #sweeps = new Map<string, Sweep>();
  readonly #joined = new Map<string, { readonly ciIds: Set<string>; readonly records: string[] }>();
  #sweptAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;

  note(tenant: string, cis: readonly Ci[]): void {
    add(this.#fresh, tenant, { ...spokenOf(cis), all: false });
  }

  noteJoined({ tenant, ciIds, records }: JoinedCis): void {
    const known = this.#joined.get(tenant) ?? { ciIds: new Set(), records: [] };
    if (known.ciIds.size + ciIds.length > MAX_JOINED) return;
    for (const id of ciIds) known.ciIds.add(id);
    known.records.push(...records);
    this.#joined.set(tenant, known);
  }

  /** All that one burst has joined. */
  takeJoined(): JoinedCis | null {
    for (const [tenant, { ciIds, records }] of this.#joined) {
      this.#joined.delete(tenant);
      return { tenant, ciIds: [...ciIds], records };
    }
    return null;
  }

  /** Starts a sweep over every unbound event of the tenant; a running one continues. */
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

  /** True if records of crashed processes are due for a check; `now` in ms. */
  looksForLeft(now: number): boolean {
    if (now - this.#lookedAt < LEFT_AFTER_MS) return false;
    this.#lookedAt = now;
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

  /** Schedules another attempt at the next reminder. */
  putBack({ tenant, due }: Taken): void {
    add(this.#again, tenant, due);
  }
}

export const REBINDER: MemorySlot<Rebinder> = { name: 'rebinder', open: () => new Rebinder() };
