import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Enriched, ResolvedSettings } from '#domain/correlation/records.ts';
import { completed } from '#domain/correlation/settings/tenant-settings.ts';
import { forgetOldest, Lru } from '#domain/lru.ts';
import { nextOver, type Reading, writingOver } from '#infra/embedded/journal/database.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import type { NodesOfLists, ValidityOf } from '#infra/embedded/topology/cache.ts';
import type { CiDictionary } from './ci-dictionary.ts';
import { AroundPacker, type ArrivalSurroundings, unpackAround } from './packed-surroundings.ts';

/** Dictionary encoding of the settings of arrivals: each content is stored once. */
export class SettingsDictionary {
  readonly #rows: Reading;
  #ids = new WeakMap<ResolvedSettings, number>();
  /** Numbers by hash of the content. */
  readonly #hashes = new Map<string, number>();
  /** Few in number: a tenant changes its settings by hand. */
  readonly #read = new Map<number, ResolvedSettings>();

  constructor(rows: Reading) {
    this.#rows = rows;
  }

  /** To be called after a rollback: numbers given since may be given again. */
  forget(): void {
    this.#ids = new WeakMap();
    this.#hashes.clear();
    this.#read.clear();
  }

  put(settings: ResolvedSettings): number {
    let id = this.#ids.get(settings);
    if (id === undefined) {
      id = this.#intern(JSON.stringify(settings));
      this.#ids.set(settings, id);
    }
    return id;
  }

  #intern(body: string): number {
    const hash = createHash('sha256').update(body).digest('base64url');
    const known = this.#hashes.get(hash) ?? this.#numberOf(hash) ?? this.#insert(hash, body);
    this.#hashes.set(hash, known);
    return known;
  }

  #numberOf(hash: string): number | undefined {
    const row = this.#rows.arrays<[number]>('SELECT id FROM settings_snapshot WHERE hash = ?').get(hash);
    return row?.[0];
  }

  #insert(hash: string, body: string): number {
    const id = nextOver(this.#rows, 'settings_snapshot', 'id');
    writingOver(this.#rows)('INSERT INTO settings_snapshot (id, hash, body) VALUES (?, ?, ?)', id, hash, body);
    return id;
  }

  get(id: number): ResolvedSettings {
    let settings = this.#read.get(id);
    if (settings === undefined) {
      const row = this.#rows.statement('SELECT body FROM settings_snapshot WHERE id = ?').get(id);
      settings = completed(JSON.parse(String(row?.body)) as ResolvedSettings);
      this.#read.set(id, settings);
    }
    return settings;
  }
}

/** CIs named in unpacked surroundings kept while reading; about 60 bytes each. */
const RECENT_CIS = 150_000;
/** The newest contents that are found again; about 60 bytes each. What was stored before them is stored a second time. */
const MAX_KNOWN = 200_000;

/** Contents that share one are told apart by reading them. */
const hashOf = (tenant: string, body: Uint8Array): number => crc32(body, crc32(tenant));

const weightOf = ({ chain, surroundings }: ArrivalSurroundings): number =>
  10 + chain.length + surroundings.near.length + surroundings.upstream.length;

/**
 * Surroundings, each stored once per content; those of a CI whose topology has not changed are recognised without reading them. Contents
 * are found in memory, as an index by hash would have a page written for every new row.
 */
export class SurroundingsTable {
  readonly #rows: Reading;
  readonly #names: CiDictionary;
  readonly #validityOf: ValidityOf;
  readonly #packer: AroundPacker;
  /** By validity. */
  #known = new WeakMap<object, number>();
  /** Numbers by hash; read at the first write. */
  #ids: Map<number, number> | null = null;
  readonly #read = new Lru<number, ArrivalSurroundings>(RECENT_CIS, weightOf);

  constructor(rows: Reading, names: CiDictionary, validityOf: ValidityOf = () => undefined) {
    this.#rows = rows;
    this.#names = names;
    this.#validityOf = validityOf;
    this.#packer = new AroundPacker(names);
  }

  /** To be called after a rollback: numbers given since may be given again. */
  forget(): void {
    this.#known = new WeakMap();
    this.#ids = null;
    this.#read.clear();
    this.#names.forget();
  }

  /** Stores what is not there yet; returns its number. */
  put(enriched: Enriched): number {
    const validity = this.#validityOf(enriched.near);
    const known = validity && this.#known.get(validity);
    if (known !== undefined) return known;
    const id = this.#intern(enriched, validity?.nodes ?? null);
    if (validity !== undefined) {
      this.#known.set(validity, id);
      validity.nodes = null;
    }
    return id;
  }

  #intern({ arrival: { tenant, chain }, ...surroundings }: Enriched, nodes: NodesOfLists | null): number {
    const body = this.#packer.pack({ chain, surroundings }, nodes);
    const hashed = hashOf(tenant, body);
    this.#ids ??= this.#readHashes();
    const known = this.#ids.get(hashed);
    if (known !== undefined && this.#holds(known, tenant, body)) return known;
    const id = nextOver(this.#rows, 'surroundings', 'id');
    writingOver(this.#rows)(
      'INSERT INTO surroundings (id, tenant, hash, body) VALUES (?, ?, ?, ?)',
      ...[id, tenant, hashed, body],
    );
    if (this.#ids.size >= MAX_KNOWN) forgetOldest(this.#ids);
    this.#ids.set(hashed, id);
    return id;
  }

  /** Not what is still in flight: such contents are stored a second time. */
  #holds(id: number, tenant: string, body: Uint8Array): boolean {
    const row = this.#rows.arrays('SELECT 1 FROM surroundings WHERE id = ? AND tenant = ? AND body = ?');
    return row.get(id, tenant, body) !== undefined;
  }

  #readHashes(): Map<number, number> {
    const rows = this.#rows
      .arrays<[number, number]>(
        'SELECT hash, id FROM surroundings INDEXED BY surroundings_hash ORDER BY id DESC LIMIT ?',
      )
      .all(MAX_KNOWN);
    return new Map(rows.reverse());
  }

  get(id: number): ArrivalSurroundings {
    const read = this.#read.get(id);
    if (read !== undefined) return read;
    const [body] = onlyRow(this.#rows.arrays<[Uint8Array]>('SELECT body FROM surroundings WHERE id = ?').get(id));
    const around = unpackAround(body, this.#names);
    this.#read.set(id, around);
    return around;
  }
}
