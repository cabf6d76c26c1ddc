import type { Arrival, Enriched } from '#domain/correlation/records.ts';
import { type Reading, type Write, writingOver } from '#infra/embedded/journal/database.ts';
import type { StandingOf } from '#infra/embedded/topology/cache.ts';
import type { CiDictionary } from './ci-dictionary.ts';
import { arrivalText, ratesText, toArrival, toRates } from './packed-arrival.ts';
import { SettingsDictionary } from './settings-dictionary.ts';
import { SurroundingsTable } from './surroundings-table.ts';

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
  readonly #rows: Reading;
  readonly #write: Write;
  readonly #settings: SettingsDictionary;
  readonly #surroundings: SurroundingsTable;

  /** `standingOf` recognises surroundings that a cache gave; whoever only reads needs none. */
  constructor(rows: Reading, names: CiDictionary, standingOf?: StandingOf) {
    this.#rows = rows;
    this.#write = writingOver(rows);
    this.#settings = new SettingsDictionary(rows);
    this.#surroundings = new SurroundingsTable(rows, names, standingOf);
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
