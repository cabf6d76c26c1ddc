import type { Range } from '#features/ai/rules/time/range.ts';

/** The words of a text, as a type. */
type WordsIn<T extends string, Found extends readonly string[] = []> = T extends `${infer One} ${infer Rest}`
  ? WordsIn<Rest, [...Found, One]>
  : [...Found, T];

/** The words of a text with blanks between them. */
export const wordsIn = <const T extends string>(text: T): WordsIn<T> => text.split(' ') as WordsIn<T>;

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };
/** Fields that have a value. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

/** Questions that rules understand, docs/reports.md. */
export const METRICS = wordsIn(
  'events occurrences incidents incident_duration open_events mttr mtta dedup_ratio correlated_share cis relationships service_health changes ai_cost',
);
export type Metric = (typeof METRICS)[number];

export const GROUPINGS = wordsIn('severity status source ci host ci_type service environment signature hour day week');
export type Grouping = (typeof GROUPINGS)[number];

const TIMED = ['hour', 'day', 'week'] as const;
/** True for groupings whose rows are times. */
export const isTimed = (grouping: Grouping | null): grouping is (typeof TIMED)[number] =>
  TIMED.some((one) => one === grouping);

/** All filters apply, each with any of its values. Names are unresolved. */
export interface Filters {
  readonly severity?: readonly string[];
  readonly status?: readonly string[];
  readonly source?: readonly string[];
  readonly ci?: readonly string[];
  readonly ci_type?: readonly string[];
  readonly service?: readonly string[];
  readonly environment?: readonly string[];
  /** The CI that an incident began with. */
  readonly cause?: readonly string[];
  /** CIs that run on one of these. */
  readonly on?: readonly string[];
  /** All of these words, in title or description. */
  readonly text?: string;
}
export type FilterName = keyof Filters;
export const FILTER_NAMES = wordsIn('severity status source ci ci_type service environment cause on text');

export type Sort = 'asc' | 'desc';
export interface Query {
  readonly metric: Metric;
  readonly filters: Filters;
  readonly groupBy: Grouping | null;
  /** Null: the current state, or the last seven days. */
  readonly range: Range | null;
  /** The range of equal length before. */
  readonly compareTo: 'previous' | null;
  readonly sort: Sort | null;
  readonly limit: number | null;
}

/** Rows of one answer. */
export const MAX_ROWS = 1_000;

const BY_EVENT: readonly Grouping[] = GROUPINGS;
const OF_INCIDENT: readonly FilterName[] = FILTER_NAMES.filter((name) => name !== 'on');
const OF_EVENT: readonly FilterName[] = OF_INCIDENT.filter((name) => name !== 'cause');
const TIMES: readonly Grouping[] = ['day', 'week'];

interface Allowed {
  readonly by: readonly Grouping[];
  readonly filters: readonly FilterName[];
}
const OF_EVENTS: Allowed = { by: BY_EVENT, filters: OF_EVENT };
const OF_INCIDENTS: Allowed = { by: BY_EVENT, filters: OF_INCIDENT };

const ALLOWED: Readonly<Partial<Record<Metric, Allowed>>> = {
  incidents: OF_INCIDENTS,
  incident_duration: OF_INCIDENTS,
  cis: {
    by: ['ci_type', 'status', 'service', 'environment', ...TIMES],
    filters: ['status', 'ci', 'ci_type', 'service', 'environment', 'on', 'text'],
  },
  relationships: { by: ['ci', 'ci_type', ...TIMES], filters: ['ci', 'ci_type', 'service'] },
  service_health: { by: ['service', 'status'], filters: ['service', 'status'] },
  ai_cost: { by: ['service', ...TIMES], filters: ['service'] },
};
/** Groupings and filters of a metric. */
export const allowedFor = (metric: Metric): Allowed => ALLOWED[metric] ?? OF_EVENTS;

/** Metrics of the current state: without a range they count everything. */
const OF_NOW: readonly Metric[] = ['open_events', 'cis', 'relationships', 'service_health'];
export const isOfNow = (metric: Metric): boolean => OF_NOW.includes(metric);

/** Incidents that are not over are counted whenever they began. */
export const isOfStanding = ({ metric, filters: { status } }: Pick<Query, 'metric' | 'filters'>): boolean =>
  (metric === 'incidents' || metric === 'incident_duration') &&
  (status?.every((one) => one === 'open' || one === 'acknowledged') ?? false);

/** Units of a metric: numbers, seconds, parts of 1, points of 100, money. */
export type QueryUnit = 'count' | 'seconds' | 'share' | 'score' | 'cost';
const UNIT_OF: Readonly<Partial<Record<Metric, QueryUnit>>> = {
  mttr: 'seconds',
  incident_duration: 'seconds',
  mtta: 'seconds',
  dedup_ratio: 'share',
  correlated_share: 'share',
  service_health: 'score',
  ai_cost: 'cost',
};
export const unitOf = (metric: Metric): QueryUnit => UNIT_OF[metric] ?? 'count';

/** The wrong field of a query and the reason; null: the query is valid. */
export function unfitFor({ metric, groupBy, filters }: Pick<Query, 'metric' | 'groupBy' | 'filters'>) {
  const { by, filters: known } = allowedFor(metric);
  if (groupBy !== null && !by.includes(groupBy))
    return { field: 'groupBy', reason: `${metric} can be grouped by ${by.join(', ')}` } as const;
  const unknown = FILTER_NAMES.find((name) => filters[name] !== undefined && !known.includes(name));
  if (unknown === undefined) return null;
  return { field: `filters.${unknown}`, reason: `${metric} can be filtered by ${known.join(', ')}` } as const;
}

/** Key of the row without a value. */
export const NONE = 'none';

export interface QueryRow {
  /** ID or word of the group; start of a time, ISO 8601; `none` without a value. */
  readonly key: string;
  readonly label: string;
  /** Null: no data. */
  readonly value: number | null;
  /** Events, incidents or CIs behind it. */
  readonly count: number;
  /** Value of the previous range, if compared. */
  readonly previous?: number | null;
}

/** The only row of a result that is not grouped. */
export const wholeRow = (value: number | null, count: number): QueryRow => ({ key: 'all', label: 'all', value, count });

/** A row whose value is its count. */
export const countRow = (key: string, count: number, label = key): QueryRow => ({ key, label, value: count, count });

export interface QueryResult {
  readonly query: Query;
  readonly unit: QueryUnit;
  /** One row if there is no grouping. */
  readonly rows: readonly QueryRow[];
  /** Total without double counting. */
  readonly total: number | null;
  readonly count: number;
  /** There are more rows, or not everything was looked at. */
  readonly truncated: boolean;
  /** The counted range; null: the current state. */
  readonly range: Range | null;
  readonly previous: { readonly range: Range; readonly total: number | null; readonly count: number } | null;
  /** Names that nothing is called by. */
  readonly missing: readonly string[];
}
