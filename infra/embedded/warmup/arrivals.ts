import { entryOf } from '#domain/assert.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { Arrival } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition, transitionsIn } from '#domain/correlation/status-transitions.ts';
import type { HistoryEntry } from '#domain/event/event.ts';
import { NumberMap } from '#domain/number-map.ts';
import type { Arrived } from '#domain/pipeline/processor.ts';
import type { NearCi, WholeCi } from '#domain/topology/near.ts';
import type { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import {
  ARRIVAL_COLUMNS,
  type ArrivalRow,
  arrivalOf,
  SettingsDictionary,
} from '#infra/embedded/correlation/enriched-table.ts';
import { type Lists, unpackLists } from '#infra/embedded/correlation/packed-surroundings.ts';
import { statusCode } from '#infra/embedded/events/row.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { THESE } from './snapshot-rows.ts';

/** Returns the first of equal texts for all of them, so that memory holds one. */
const sharedTexts = (): ((text: string) => string) => {
  const texts = new Map<string, string>();
  return (text) => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
};

/** The last column is the state of an event that is over now. */
export const FACTS_COLUMNS = `${ARRIVAL_COLUMNS}, n.seq, n.settings,
  (SELECT e.state FROM event e INDEXED BY event_id WHERE e.tenant = n.tenant AND e.id = n.event
   AND e.status IN (${statusCode('resolved')}, ${statusCode('suppressed')}))`;
/** Columns in the order in which `arrival` reads them. */
export type FactsRow = readonly [...ArrivalRow, seq: number, settings: number, state: string | null];

/** Ends and returns of an event that is over; of one that is on nothing is to be remembered. */
const transitionsFrom = ({ eventId, complaint }: Arrival, state: string | null): readonly PlacedTransition[] => {
  if (state === null || complaint.known === 'change') return NO_TRANSITIONS;
  const { history } = JSON.parse(state) as { readonly history: readonly HistoryEntry[] };
  return transitionsIn(eventId, history);
};

/** Limits within which (via, ci, hops) fits a 53-bit key; larger values are not interned. */
const NUMBERS = 2 ** 24;
const HOPS = 16;

interface ArrivalRows {
  readonly arrived: Arrived;
  readonly turns: readonly PlacedTransition[];
  readonly upstream: readonly NearCi[];
  readonly wholes: readonly WholeCi[];
  readonly settings: number;
}

/**
 * Arrivals as one start reads them: enrich, five windows and merge share one object per arrival, arrivals on one CI
 * share lists, equal texts are one. Else a start is six times as slow and holds five copies.
 */
export class StoredArrivals {
  readonly #rows: RowReader;
  readonly #settings: SettingsDictionary;
  readonly #names: CiDictionary;
  readonly #arrivals = new Map<number, ArrivalRows>();
  readonly #lists = new Map<number, Lists>();
  readonly #ways = new NumberMap<NearCi>();
  readonly #shared = sharedTexts();

  constructor(rows: RowReader, names: CiDictionary) {
    this.#rows = rows;
    this.#settings = new SettingsDictionary(rows);
    this.#names = names;
  }

  /** The row read for the record with this number. */
  known(seq: number): Arrived | undefined {
    return this.#arrivals.get(seq)?.arrived;
  }

  arrival(row: FactsRow): Arrival {
    const known = this.#arrivals.get(row[7]);
    if (known !== undefined) return known.arrived.arrival;
    const lists = this.#listsOf(row[5]);
    const arrival = arrivalOf(row, lists.chain, this.#shared);
    const turns = transitionsFrom(arrival, row[9]);
    const arrived = { arrival, late: row[4] === 1, turns };
    this.#arrivals.set(row[7], { arrived, turns, upstream: lists.upstream, wholes: lists.wholes, settings: row[8] });
    return arrival;
  }

  /** Reads what many rows name at once, which costs a third of one statement for each. */
  arrivals(rows: readonly FactsRow[]): void {
    const wanted = rows.map((row) => row[5]).filter((id) => !this.#lists.has(id));
    const found = this.#rows
      .arrays<[number, Uint8Array]>(`SELECT id, body FROM surroundings WHERE id ${THESE}`)
      .all(JSON.stringify(wanted));
    for (const [id, body] of found) this.#lists.set(id, unpackLists(body, this.#near, this.#idOf));
    for (const row of rows) this.arrival(row);
  }

  /** The facts of the record with this number. */
  numbered(seq: number): Facts {
    if (!this.#arrivals.has(seq)) {
      const row = this.#rows.arrays<FactsRow>(`SELECT ${FACTS_COLUMNS} FROM enriched n WHERE n.seq = ?`).get(seq);
      this.arrival(onlyRow(row));
    }
    const { arrived, turns, upstream, wholes, settings } = entryOf(this.#arrivals, seq);
    const known = { arrival: arrived.arrival, upstream, settings: this.#settings.get(settings), turns };
    return wholes.length === 0 ? known : { ...known, wholes };
  }

  /** The newest facts of an event up to a position. */
  newest(tenant: string, event: string, through: number): Facts | undefined {
    const row = this.#rows
      .arrays<[number]>(
        'SELECT seq FROM enriched WHERE tenant = ? AND event = ? AND position <= ? ORDER BY position DESC LIMIT 1',
      )
      .get(tenant, event, through);
    return row && this.numbered(row[0]);
  }

  #listsOf(id: number): Lists {
    let lists = this.#lists.get(id);
    if (lists === undefined) {
      lists = this.#read(id);
      this.#lists.set(id, lists);
    }
    return lists;
  }

  #read(id: number): Lists {
    const [body] = onlyRow(this.#rows.arrays<[Uint8Array]>('SELECT body FROM surroundings WHERE id = ?').get(id));
    return unpackLists(body, this.#near, this.#idOf);
  }

  readonly #idOf = (ci: number): string => this.#names.idOf(ci);

  /** Paths repeat all over one neighborhood: one object for all lists. */
  readonly #near = (ci: number, hops: number, via: number): NearCi => {
    const key = ((via + 1) * NUMBERS + ci) * HOPS + hops;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    const near = { ci: this.#names.idOf(ci), hops, via: via === -1 ? null : this.#names.idOf(via) };
    if (ci < NUMBERS && via < NUMBERS && hops < HOPS) this.#ways.set(key, near);
    return near;
  };
}
