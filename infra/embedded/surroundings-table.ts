import { createHash } from 'node:crypto';
import type { Enriched, NearCi, Neighbour, Surroundings } from '#domain/correlation/records.ts';
import type { Reading } from './database.ts';
import { Recent } from './recent.ts';

/** Everything about the topology around an arrival; arrivals on one CI share it while the topology stays. */
export interface Around {
  readonly chain: readonly NearCi[];
  readonly surroundings: Surroundings;
}

/** CI ids once, numbers for everything else: [place of id, hops, place of via + 1 or 0, critical hops]. */
export interface Packed {
  readonly ids: readonly string[];
  readonly near: readonly (readonly [number, number, number, number])[];
  readonly upstream: readonly (readonly [number, number, number])[];
  readonly counts: readonly [truncated: number, degree: number, reach2: number, reach3: number, all: number];
}

/** Characters of unpacked surroundings kept while reading. */
const RECENT_CHARACTERS = 8 * 1024 * 1024;

function pack(of: Surroundings): Packed {
  const places = new Map<string, number>();
  const place = (id: string): number => {
    let at = places.get(id);
    if (at === undefined) {
      at = places.size;
      places.set(id, at);
    }
    return at;
  };
  const via = (id: string | null): number => (id === null ? 0 : place(id) + 1);
  const near = of.near.map((n) => [place(n.ci), n.hops, via(n.via), n.criticalHops] as const);
  const upstream = of.upstream.map((n) => [place(n.ci), n.hops, via(n.via)] as const);
  const counts = [of.truncated ? 1 : 0, of.degree, of.reach2, of.reach3, of.all] as const;
  return { ids: [...places.keys()], near, upstream, counts };
}

/** The upstream list alone, with the texts that `shared` gives. */
export function unpackUpstream({ ids, upstream }: Packed, shared: (text: string) => string): NearCi[] {
  const names: string[] = [];
  const named = (place: number): string => {
    names[place] ??= shared(ids[place]!);
    return names[place];
  };
  return upstream.map(([ci, hops, v]): NearCi => ({ ci: named(ci), hops, via: v === 0 ? null : named(v - 1) }));
}

function unpack({ ids, near, upstream, counts }: Packed): Surroundings {
  const via = (place: number): string | null => (place === 0 ? null : ids[place - 1]!);
  return {
    near: near.map(([ci, hops, v, criticalHops]): Neighbour => ({ ci: ids[ci]!, hops, via: via(v), criticalHops })),
    upstream: upstream.map(([ci, hops, v]): NearCi => ({ ci: ids[ci]!, hops, via: via(v) })),
    truncated: counts[0] === 1,
    degree: counts[1],
    reach2: counts[2],
    reach3: counts[3],
    all: counts[4],
  };
}

const sha = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Surroundings, each stored once per content; the arrays of a topology cache are recognised without reading them. */
export class SurroundingsTable {
  readonly #rows: Reading;
  #known = new WeakMap<object, { of: Enriched; id: number }>();
  readonly #read = new Recent<number, Around & { size: number }>(RECENT_CHARACTERS, ({ size }) => size);

  constructor(rows: Reading) {
    this.#rows = rows;
  }

  /** To be called after a rollback: numbers given since may be given again. */
  forget(): void {
    this.#known = new WeakMap();
    this.#read.clear();
  }

  /** Stores what is not there yet; returns its number. */
  put(enriched: Enriched): number {
    const known = this.#known.get(enriched.near);
    if (known !== undefined && same(known.of, enriched)) return known.id;
    const id = this.#intern(enriched);
    this.#known.set(enriched.near, { of: enriched, id });
    return id;
  }

  #intern({ arrival, ...surroundings }: Enriched): number {
    const chain = JSON.stringify(arrival.chain);
    const body = JSON.stringify(pack(surroundings));
    const hash = sha(chain + body);
    const { tenant } = arrival;
    const row = this.#rows.statement('SELECT id FROM surroundings WHERE tenant = ? AND hash = ?').get(tenant, hash);
    if (row !== undefined) return Number(row.id);
    return Number(
      this.#rows
        .statement('INSERT INTO surroundings (tenant, hash, chain, body) VALUES (?, ?, ?, ?)')
        .run(tenant, hash, chain, body).lastInsertRowid,
    );
  }

  get(id: number): Around {
    const read = this.#read.get(id);
    if (read !== undefined) return read;
    const row = this.#rows.statement('SELECT chain, body FROM surroundings WHERE id = ?').get(id) as {
      chain: string;
      body: string;
    };
    const size = 8 * (row.chain.length + row.body.length);
    const around = {
      chain: JSON.parse(row.chain) as NearCi[],
      surroundings: unpack(JSON.parse(row.body) as Packed),
      size,
    };
    this.#read.set(id, around);
    return around;
  }
}

const same = (a: Enriched, b: Enriched): boolean =>
  a.arrival.tenant === b.arrival.tenant &&
  a.arrival.chain === b.arrival.chain &&
  a.upstream === b.upstream &&
  a.truncated === b.truncated &&
  a.degree === b.degree &&
  a.reach2 === b.reach2 &&
  a.reach3 === b.reach3 &&
  a.all === b.all;
