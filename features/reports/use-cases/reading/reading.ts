import { Fault } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { Filters, Grouping, Metric, QueryResult, QueryRow } from '#features/questions/rules/query.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';
import type { Chosen } from '#features/reports/rules/templates/chosen.ts';
import type { CountedGroup } from '#features/reports/rules/templates/template.ts';

/** Context for reading the data of a report. */
export interface ReportReading {
  readonly asking: QueryAsking;
  readonly chosen: Chosen;
  /** Aborted when the report is canceled. */
  readonly signal: AbortSignal;
}

const SECOND_MS = 1_000;
/** Number of records per page, a few milliseconds of work. */
const PAGE = 200;

/** Returns the requested filters as filters of queries. */
export const filtersOf = ({ ciTypes, services, sources, severities }: Chosen): Filters => ({
  ...(ciTypes && { ci_type: ciTypes }),
  ...(services && { service: services }),
  ...(sources && { source: sources }),
  ...(severities && { severity: severities }),
});

interface MetricRequest {
  readonly metric: Metric;
  readonly groupBy?: Grouping;
  readonly filters?: Filters;
  /** Null: the current state. */
  readonly range?: Range | null;
  readonly isCompared?: boolean;
}

/** Throws Fault `unavailable` if the report is canceled. */
export function goOn({ signal }: Pick<ReportReading, 'signal'>): void {
  if (signal.aborted) throw new Fault('unavailable', 'The report was canceled');
}

/** Runs a query with the requested filters and range, unless given others. */
export async function ask(
  reading: ReportReading,
  { metric, groupBy, filters = filtersOf(reading.chosen), range = reading.chosen.range, isCompared }: MetricRequest,
): Promise<QueryResult> {
  goOn(reading);
  return runQuery(reading.asking, {
    metric,
    filters,
    groupBy: groupBy ?? null,
    range,
    compareTo: isCompared ? 'previous' : null,
    sort: null,
    limit: null,
  });
}

/** Converts seconds of a query to ms. */
export const msOf = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * SECOND_MS;

export const counted = (rows: readonly QueryRow[]): CountedGroup[] =>
  rows.map(({ label, value }) => ({ label, value: value ?? 0 }));

/** Returns rows with a value above 0, largest first; the row without a name is last. */
export const largest = (rows: readonly QueryRow[]): CountedGroup[] =>
  counted(rows)
    .filter(({ value }) => value > 0)
    .sort((a, b) => Number(a.label === 'none') - Number(b.label === 'none') || b.value - a.value);

/** Returns the requested filters as filters of stores. */
export const resolvedFilter = async ({ asking, chosen }: ReportReading) => resolveFilters(asking, filtersOf(chosen));

interface Walk<T, R> {
  readonly find: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>;
  readonly rows: (items: readonly T[]) => Promise<readonly R[]> | readonly R[];
  readonly most: number;
  /** True if no relevant items follow these. */
  readonly isPast?: (items: readonly T[]) => boolean;
}

/** Reads rows of a list page by page, up to a limit. */
export async function walk<T, R>(reading: ReportReading, { find, rows, most, isPast }: Walk<T, R>): Promise<R[]> {
  const all: R[] = [];
  for (let cursor: string | null = null; ; ) {
    goOn(reading);
    const page: Page<T> = await find({ limit: PAGE, ...(cursor !== null && { cursor }) });
    for (const row of await rows(page.items)) all.push(row);
    cursor = page.nextCursor;
    if (cursor === null || all.length >= most || isPast?.(page.items) === true) return all.slice(0, most);
  }
}
