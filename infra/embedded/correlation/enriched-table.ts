import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Arrival, Commonness, Enriched, Rates, ResolvedSettings } from '#domain/correlation/records.ts';
import { completed } from '#domain/correlation/settings/tenant-settings.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import type { Again } from '#domain/event/incoming.ts';
import { forgetOldest, Lru } from '#domain/lru.ts';
import { nextOver, type RowReader, type Write, writingOver } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import type { NodesOfLists, ValidityOf } from '#infra/embedded/topology/cache.ts';
import type { CiDictionary } from './ci-dictionary.ts';
import { AroundPacker, type ArrivalSurroundings, unpackAround } from './packed-surroundings.ts';

/** Dictionary encoding of the settings of arrivals: each content is stored once. */
export class SettingsDictionary {
  readonly #rows: RowReader;
  #ids = new WeakMap<ResolvedSettings, number>();
  /** Numbers by hash of the content. */
  readonly #hashes = new Map<string, number>();
  /** Few in number: settings are changed manually. */
  readonly #read = new Map<number, ResolvedSettings>();

  constructor(rows: RowReader) {
    this.#rows = rows;
  }

  /** Must be called after a rollback: numbers assigned since may be assigned again. */
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

/** CIs of unpacked surroundings cached while reading; about 60 bytes each. */
const RECENT_CIS = 150_000;
/** Maximum of newest contents that are deduplicated; about 60 bytes each. Older ones are stored a second time. */
const MAX_KNOWN = 200_000;

/** Contents with the same hash are distinguished by reading them. */
const hashOf = (tenant: string, body: Uint8Array): number => crc32(body, crc32(tenant));

const weightOf = ({ chain, surroundings }: ArrivalSurroundings): number =>
  10 + chain.length + surroundings.near.length + surroundings.upstream.length;

/**
 * Surroundings, each stored once per content; those of a CI with an unchanged topology are recognized without reading
 * them. Contents are found in memory, as an index by hash would write a page for every new row.
 */
export class SurroundingsTable {
  readonly #rows: RowReader;
  readonly #names: CiDictionary;
  readonly #validityOf: ValidityOf;
  readonly #packer: AroundPacker;
  /** Numbers by validity. */
  #known = new WeakMap<object, number>();
  /** Numbers by hash; read at the first write. */
  #ids: Map<number, number> | null = null;
  readonly #read = new Lru<number, ArrivalSurroundings>(RECENT_CIS, weightOf);

  constructor(rows: RowReader, names: CiDictionary, validityOf: ValidityOf = () => undefined) {
    this.#rows = rows;
    this.#names = names;
    this.#validityOf = validityOf;
    this.#packer = new AroundPacker(names);
  }

  /** Must be called after a rollback: numbers assigned since may be assigned again. */
  forget(): void {
    this.#known = new WeakMap();
    this.#ids = null;
    this.#read.clear();
    this.#names.forget();
  }

  /** Stores new contents; returns their number. */
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
      id,
      tenant,
      hashed,
      body,
    );
    if (this.#ids.size >= MAX_KNOWN) forgetOldest(this.#ids);
    this.#ids.set(hashed, id);
    return id;
  }

  /** Ignores contents still in flight: they are stored a second time. */
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

/** Fields with columns of their own, or stored elsewhere. */
type Columns = Pick<Arrival, 'tenant' | 'position' | 'eventId' | 'time' | 'chain'>;

/** Content of `enriched.arrival`: without names, which would be half of it. Booleans are 1. */
type PackedArrival = readonly [
  ...[severity: Arrival['severity'], signature: string, identity: string, system: string, services: readonly string[]],
  ...[ciId: string | null, above3: number, below3: number, kind: ProblemKind['kind'], known: ProblemKind['known']],
  ...[hasRelationships: 0 | 1, suppressed: 0 | 1, usual: 0 | 1, rebound: 0 | 1],
  ...[again?: Again | null, supersedes?: string | null, template?: string | null, commonness?: Commonness | null],
  ...[source?: string | null, rhythm?: number | null, spreads?: 0 | 1 | null, habit?: number | null],
  ...[problem?: string | null],
];
/** Content of `enriched.rates`; empty in a quiet tenant, where all are zero. */
type PackedRates = readonly [
  tenant: number,
  signature: number,
  ci: number,
  service: Rates['service'],
  quiet?: 0 | 1,
  ...rarer: number[],
];

const bit = (truth: boolean): 0 | 1 => (truth ? 1 : 0);

export const arrivalText = (a: Arrival): string =>
  JSON.stringify([
    a.severity,
    a.signature,
    a.identity,
    a.system,
    a.services,
    a.ciId,
    a.above3,
    a.below3,
    a.complaint.kind,
    a.complaint.known,
    bit(a.hasRelationships),
    bit(a.suppressed),
    bit(a.usual),
    bit(a.rebound),
    a.again ?? null,
    a.supersedes ?? null,
    a.template ?? null,
    a.commonness ?? null,
    a.source ?? null,
    a.rhythm ?? null,
    a.spreads === undefined ? null : bit(a.spreads),
    a.habit ?? null,
    ...(a.problem === undefined ? [] : [a.problem]),
  ]);

const asIs = (text: string): string => text;

/**
 * Built in one step and in the order of a new arrival, so that all have one shape; `shared` returns one text for equal
 * ones.
 */
export function toArrival(text: string, of: Columns, shared: (text: string) => string = asIs): Arrival {
  const [severity, signature, identity, system, services, ciId, above3, below3, kind, known, related, ...rest] =
    JSON.parse(text) as PackedArrival;
  const [suppressed, usual, rebound, again, supersedes, template, commonness, source, rhythm, spreads, habit, problem] =
    rest;
  const arrival: Arrival = {
    tenant: shared(of.tenant),
    position: of.position,
    eventId: of.eventId,
    time: of.time,
    severity,
    signature: shared(signature),
    identity,
    system: shared(system),
    services: services.map(shared),
    ciId: ciId === null ? null : shared(ciId),
    hasRelationships: related === 1,
    above3,
    below3,
    chain: of.chain,
    suppressed: suppressed === 1,
    usual: usual === 1,
    complaint: { kind, known },
    ...(template != null && { template: shared(template) }),
    ...(commonness != null && { commonness }),
    ...(spreads != null && { spreads: spreads === 1 }),
    ...(habit != null && { habit }),
    ...(problem != null && { problem: shared(problem) }),
    ...(source != null && { source: shared(source) }),
    ...(rhythm != null && { rhythm }),
    rebound: rebound === 1,
  };
  if (again == null && supersedes == null) return arrival;
  return { ...arrival, ...(again && { again }), ...(supersedes && { supersedes }) };
}

const isNothing = ({ tenant, signature, ci, service }: Rates): boolean =>
  tenant === 0 && signature === 0 && ci === 0 && Object.keys(service).length === 0;

export const ratesText = (rates: Rates): string => {
  const { quiet, tenant, uncommon, rare, signature, ci, service } = rates;
  if (quiet && isNothing(rates)) return '';
  const rarer = uncommon === undefined || rare === undefined ? [] : [uncommon, rare];
  return JSON.stringify([tenant, signature, ci, service, bit(quiet), ...rarer] satisfies PackedRates);
};

export function toRates(text: string): Rates {
  if (text === '') return { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} };
  const [tenant, signature, ci, service, quiet, uncommon, rare] = JSON.parse(text) as PackedRates;
  const known = { quiet: quiet === 1, tenant, signature, ci, service };
  return uncommon === undefined || rare === undefined ? known : { ...known, uncommon, rare };
}

/** Columns in the order in which `arrivalOf` and `toEnriched` read them. */
export const ARRIVAL_COLUMNS = 'n.tenant, n.position, n.event, n.time, n.late, n.surroundings, n.arrival';
export const ENRICHED_COLUMNS = `${ARRIVAL_COLUMNS}, n.settings, n.rates`;
export type ArrivalRow = readonly [
  ...[tenant: string, position: number, event: string, time: number, late: number, surroundings: number],
  arrival: string,
];
export type EnrichedRow = readonly [...ArrivalRow, settings: number, rates: string];

/** Enriched records, create-only by position: the first that was stored counts. */
export class EnrichedTable {
  readonly #rows: RowReader;
  readonly #write: Write;
  readonly #settings: SettingsDictionary;
  readonly #surroundings: SurroundingsTable;

  /** `validityOf` recognizes surroundings from a cache; pure readers need none. */
  constructor(rows: RowReader, names: CiDictionary, validityOf?: ValidityOf) {
    this.#rows = rows;
    this.#write = writingOver(rows);
    this.#settings = new SettingsDictionary(rows);
    this.#surroundings = new SurroundingsTable(rows, names, validityOf);
  }

  forget(): void {
    this.#settings.forget();
    this.#surroundings.forget();
  }

  /** False when the position has a record already. */
  write(enriched: Enriched): boolean {
    const { arrival, rates, late } = enriched;
    const changes = this.#write(
      `INSERT INTO enriched (position, tenant, event, time, late, settings, surroundings, arrival, rates)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      arrival.position,
      arrival.tenant,
      arrival.eventId,
      arrival.time,
      late ? 1 : 0,
      this.#settings.put(enriched.settings),
      this.#surroundings.put(enriched),
      arrivalText(arrival),
      ratesText(rates),
    );
    return changes === 1;
  }

  /** The newest record of the event up to a position. */
  newest(tenant: string, event: string, through = Number.MAX_SAFE_INTEGER): Enriched | undefined {
    const row = this.#rows
      .arrays(
        `SELECT ${ENRICHED_COLUMNS} FROM enriched n WHERE n.tenant = ? AND n.event = ? AND n.position <= ?
         ORDER BY n.position DESC LIMIT 1`,
      )
      .get(tenant, event, Math.min(through, Number.MAX_SAFE_INTEGER)) as EnrichedRow | undefined;
    return row === undefined ? undefined : this.toEnriched(row);
  }

  toEnriched(row: readonly [...EnrichedRow, ...unknown[]]): Enriched {
    const { chain, surroundings } = this.#surroundings.get(row[5]);
    return {
      ...surroundings,
      arrival: arrivalOf(row, chain),
      rates: toRates(row[8]),
      settings: this.#settings.get(row[7]),
      late: row[4] === 1,
    };
  }
}

export const arrivalOf = (
  row: readonly [...ArrivalRow, ...unknown[]],
  chain: Arrival['chain'],
  shared?: (text: string) => string,
): Arrival => toArrival(row[6], { tenant: row[0], position: row[1], eventId: row[2], time: row[3], chain }, shared);
