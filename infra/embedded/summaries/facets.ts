import { int32At, itemAt } from '#domain/assert.ts';
import { severityOfRank } from '#domain/event/event.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import {
  FACETS,
  type Facet,
  type FacetCount,
  type Facets,
  MAX_FACET_VALUES,
  MAX_LOOKED_AT,
} from '#domain/ports/events/event-summaries.ts';
import { recordOf } from '#domain/record-of.ts';
import { cheapest, countEvents } from '#infra/embedded/events/count.ts';
import { conditionsOf } from '#infra/embedded/events/filter.ts';
import { statusOfCode } from '#infra/embedded/events/row.ts';
import { valuesOf } from '#infra/embedded/facets/rows.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { topFacets } from '#infra/facets.ts';
import { lookedAt } from './rows.ts';

export interface FacetsOf {
  readonly tenant: string;
  readonly filter: EventFilter;
}

type ValueCounts = Map<number, number>;
type ByFacet = Readonly<Record<Facet, ValueCounts>>;

/** SQLite writes the numbers of a column as one text far faster than it hands over rows. */
const LISTS = FACETS.map((name) => `json_group_array(f.${name})`).join(', ');

/** Numbers below this are counted in a table, which costs a tenth of a map. */
const MAX_PLACES = 100_000;

function counted(text: string): ValueCounts {
  const numbers = JSON.parse(text) as (number | null)[];
  const size = Math.min(numbers.length, MAX_LOOKED_AT);
  const counts: ValueCounts = new Map();
  const places = new Int32Array(MAX_PLACES);
  let most = 0;
  for (let i = 0; i < size; i++) {
    const n = numbers[i] ?? null;
    if (n === null) continue;
    if (n >= MAX_PLACES) counts.set(n, (counts.get(n) ?? 0) + 1);
    else {
      places[n] = int32At(places, n) + 1;
      if (n > most) most = n;
    }
  }
  for (let n = 0; n <= most; n++) if (int32At(places, n) > 0) counts.set(n, int32At(places, n));
  return counts;
}

/** A value may have two numbers, so that some more than are shown are named. */
const mostOf = (counts: ValueCounts): number[] =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2 * MAX_FACET_VALUES)
    .map(([n]) => n);

const CODED: Readonly<Partial<Record<Facet, (n: number) => string>>> = {
  severity: severityOfRank,
  status: statusOfCode,
};

/**
 * Returns values by their counts; those with one count are in the order of their texts, so that all of them are named.
 */
function named(reading: RowReader, byFacet: ByFacet): Facets['facets'] {
  const numbers = FACETS.flatMap((name) => (CODED[name] ? [] : mostOf(byFacet[name])));
  const values = valuesOf(reading, numbers);
  const of = (name: Facet, counts: ValueCounts): FacetCount[] => {
    const code = CODED[name];
    const shown = code ? [...counts.keys()] : mostOf(counts);
    return topFacets(shown.map((n) => [code ? code(n) : (values.get(n) ?? null), counts.get(n) ?? 0]));
  };
  return recordOf(FACETS, (name) => of(name, byFacet[name]));
}

/** Returns facets of the newest events, when there are more than the scan limit. */
export function facetsOf(reading: RowReader, { tenant, filter }: FacetsOf): Facets {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { total: 0, facets: recordOf(FACETS, () => []), truncated: false };
  const best = cheapest(reading, conditions);
  const total = countEvents(reading, conditions, best);
  const rows = lookedAt(conditions, best);
  const [size, ...lists] = onlyRow(
    reading
      .arrays<[number, ...string[]]>(
        `SELECT count(*), ${LISTS} FROM (${rows.text}) r LEFT JOIN event_facet f ON f.seq = r.seq`,
      )
      .get(...rows.values),
  );
  const byFacet = recordOf(FACETS, (_, i) => counted(itemAt(lists, i)));
  return { total, facets: named(reading, byFacet), truncated: size > MAX_LOOKED_AT };
}
