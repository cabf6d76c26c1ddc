import type { Database, Reading } from '#infra/embedded/journal/database.ts';

/** The place of a kind is its number in `facet_value`. */
const FACET_KINDS = ['host', 'service', 'environment', 'source', 'ci', 'assignee', 'tag'] as const;
export type FacetKind = (typeof FACET_KINDS)[number];
export const kindNumber = (kind: FacetKind): number => FACET_KINDS.indexOf(kind);

/** Values in memory; above this all are forgotten. */
const MAX_KNOWN = 200_000;
const READ = 'SELECT n FROM facet_value WHERE tenant = ? AND kind = ? AND value = ? LIMIT 1';
const ADD = 'INSERT INTO facet_value (n, tenant, kind, value) VALUES (?, ?, ?, ?)';

/** Dictionary encoding of what events are narrowed by. A value that is forgotten before it is in the file gets a second number. */
export class FacetValues {
  readonly #database: Database;
  #known: Map<string, number> = new Map();

  constructor(database: Database) {
    this.#database = database;
    database.onRollback(() => this.#known.clear());
  }

  /** Stores a value that has no number yet; null for none. To be called where changes are recorded. */
  numberOf(tenant: string, kind: FacetKind, value: string | undefined): number | null {
    if (value === undefined || value === '') return null;
    const key = `${kind} ${tenant} ${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const n = this.#stored(tenant, kind, value) ?? this.#add(tenant, kind, value);
    this.#known.set(key, n);
    return n;
  }

  #stored(tenant: string, kind: FacetKind, value: string): number | undefined {
    const row = this.#database.arrays<[number]>(READ).get(tenant, kindNumber(kind), value);
    return row?.[0];
  }

  #add(tenant: string, kind: FacetKind, value: string): number {
    const n = this.#database.next('facet_value', 'n');
    this.#database.write(ADD, n, tenant, kindNumber(kind), value);
    return n;
  }
}

const NUMBERS = `SELECT n FROM facet_value WHERE tenant = ? AND kind = ? AND value IN (SELECT value FROM json_each(?))`;

/** All numbers of the values. */
export const numbersOf = (reading: Reading, tenant: string, kind: FacetKind, values: readonly string[]): number[] =>
  reading
    .arrays<[number]>(NUMBERS)
    .all(tenant, kindNumber(kind), JSON.stringify(values))
    .map(([n]) => n);

const VALUES = 'SELECT n, value FROM facet_value WHERE n IN (SELECT value FROM json_each(?))';

export const valuesOf = (reading: Reading, numbers: readonly number[]): ReadonlyMap<number, string> =>
  new Map(reading.arrays<[number, string]>(VALUES).all(JSON.stringify(numbers)));
