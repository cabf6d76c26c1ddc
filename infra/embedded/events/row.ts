import { type Event, STATUSES, severityOfRank, severityRank } from '#domain/event/event.ts';
import { pickFields } from '#domain/event/field-functions.ts';
import { type FieldOf, fieldsOf } from '#domain/event/fields.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';

/** Columns of the table `tally`. */
type InTally = 'count' | 'firstOccurrence' | 'lastOccurrence' | 'seen';
/** The fields that occurrences accumulate besides times and counts. */
export type Accumulated = Pick<Event, Exclude<FieldOf<'tally'>, InTally>>;
/** Format of the column `event.gathered`. */
type GatheredColumn = readonly [string | null, Event['tags'], Event['details'], Event['conditions']];
/** Format of the column `tally.latest`: newer details to merge over the accumulated ones, and a newer description. */
type Latest = readonly [Event['details'], string?];

/** Most characters of `tally.latest`: a few readings. Larger differences rewrite `event.gathered`. */
const MAX_LATEST = 200;

export const accumulatedOf = ({ description, tags, details, conditions }: Event): Accumulated => ({
  ...(description === undefined ? {} : { description }),
  tags,
  details,
  conditions,
});

export const accumulatedText = ({ description, tags, details, conditions }: Accumulated): string =>
  JSON.stringify([description ?? null, tags, details, conditions] satisfies GatheredColumn);

export function readAccumulated(text: string): Accumulated {
  const [description, tags, details, conditions] = JSON.parse(text) as GatheredColumn;
  return { ...(description === null ? {} : { description }), tags, details, conditions };
}

export function withLatest(accumulated: Accumulated, text: string | null): Accumulated {
  if (text === null) return accumulated;
  const [newer, description] = JSON.parse(text) as Latest;
  const details = { ...accumulated.details, ...newer };
  return description === undefined ? { ...accumulated, details } : { ...accumulated, details, description };
}

/** Senders repeat whole objects in details; only other contents are news. */
const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Entries of `now` that are not in `before`; undefined when one is gone. */
function newer(before: Event['details'], now: Event['details']): Event['details'] | undefined {
  const entries: [string, unknown][] = [];
  let kept = 0;
  for (const name of Object.keys(now)) {
    const known = Object.hasOwn(before, name);
    if (known) kept++;
    if (!known || !same(before[name], now[name])) entries.push([name, now[name]]);
  }
  return kept === Object.keys(before).length ? Object.fromEntries(entries) : undefined;
}

/** The difference of `now` for `tally.latest`: null for none, undefined when `event.gathered` has to be rewritten. */
export function latestText(accumulated: Accumulated, now: Accumulated): string | null | undefined {
  if (now.tags !== accumulated.tags || now.conditions !== accumulated.conditions) return undefined;
  const described = now.description === accumulated.description;
  if (!described && now.description === undefined) return undefined;
  if (described && now.details === accumulated.details) return null;
  const details = newer(accumulated.details, now.details);
  if (details === undefined) return undefined;
  const text = JSON.stringify((described ? [details] : [details, now.description ?? '']) satisfies Latest);
  return text.length <= MAX_LATEST ? text : undefined;
}

/**
 * Step of `tally.slot`, ms: the index of lastOccurrence moves once in each at most while an event repeats. A range looks up the rows of
 * its edge slots one by one, so a step must not hold too many.
 */
const BUCKET_MS = 5 * 60_000;

/** The slot of a time in ms. */
export const bucketOf = (at: number): number => Math.floor(at / BUCKET_MS);
/** First millisecond of a slot. */
export const bucketStart = (slot: number): number => slot * BUCKET_MS;

/** Last seen at or after `at` (ms). */
export const lastFrom = (at: number): Sql =>
  sql('t.slot >= ? AND (t.slot > ? OR t.last >= ?)', bucketOf(at), bucketOf(at), at);
/** Last seen before `at` (ms). */
export const lastBefore = (at: number): Sql =>
  sql('t.slot <= ? AND (t.slot < ? OR t.last < ?)', bucketOf(at), bucketOf(at), at);
/** First seen after `at` (ms), and so last seen in its slot or later. */
export const firstAfter = (at: number): Sql => sql('t.slot >= ? AND t.first > ?', bucketOf(at), at);

/** Fields that have a column of their own. */
const IN_COLUMNS = [
  'tenant',
  'id',
  'source',
  'timestamp',
  'identity',
  'createdAt',
  'createdPosition',
  'status',
  'severity',
] as const;
type InColumns = (typeof IN_COLUMNS)[number];
type BodyField = Exclude<FieldOf<'fixed' | 'said'>, InColumns>;
type StateField = Exclude<FieldOf<'state'>, InColumns>;

const outOfColumns = <Name extends keyof Event>(names: readonly Name[]): Exclude<Name, InColumns>[] =>
  names.filter((name): name is Exclude<Name, InColumns> => !(IN_COLUMNS as readonly string[]).includes(name));

/** Fields in `event.body`, which a further occurrence leaves alone, and in `event.state`, which changes seldom. */
const bodyOf = pickFields<BodyField>(outOfColumns(fieldsOf('fixed', 'said')));
const stateOf = pickFields<StateField>(outOfColumns(fieldsOf('state')));

/** Columns in the order in which `toEvent` reads them. */
export const EVENT_COLUMNS = `e.seq, e.tenant, e.id, e.source, e.timestamp, e.identity, e.status, e.severity,
  e.correlation_id, e.created_at, e.created_position, t.count, t.first, t.last, t.seen_bin, t.seen_bits, t.position,
  t.updated_at, e.body, e.state, e.gathered, t.latest`;
export const SELECT_EVENT = `SELECT ${EVENT_COLUMNS} FROM event e JOIN tally t ON t.seq = e.seq`;

export type EventTableRow = readonly [
  ...[seq: number, tenant: string, id: string, source: string, timestamp: number, identity: string],
  ...[status: number, severity: number, correlationId: string | null, createdAt: number, createdPosition: number],
  ...[count: number, first: number, last: number, bin: number, bits: number, position: number, updatedAt: number],
  ...[body: string, state: string, gathered: string, latest: string | null],
];

export const statusCode = (status: Event['status']): number => STATUSES.indexOf(status);

export function statusOfCode(code: number): Event['status'] {
  const status = STATUSES[code];
  if (status === undefined) throw new RangeError(`There is no status with the code ${code}`);
  return status;
}
export { severityRank };

export const toEvent = (row: EventTableRow): Event => eventWith(row, readAccumulated(row[20]));

/** The event of a row whose `gathered` column is read already. */
export function eventWith(row: EventTableRow, accumulated: Accumulated): Event {
  return {
    tenant: row[1],
    id: row[2],
    source: row[3],
    timestamp: row[4],
    identity: row[5],
    status: statusOfCode(row[6]),
    severity: severityOfRank(row[7]),
    correlationId: row[8],
    createdAt: row[9],
    createdPosition: row[10],
    count: row[11],
    firstOccurrence: row[12],
    lastOccurrence: row[13],
    seen: { bin: row[14], bits: row[15] },
    position: row[16],
    updatedAt: row[17],
    ...withLatest(accumulated, row[21]),
    ...(JSON.parse(row[18]) as Pick<Event, BodyField>),
    ...(JSON.parse(row[19]) as Pick<Event, StateField>),
  };
}

export const bodyText = (event: Event): string => JSON.stringify(bodyOf(event));
export const stateText = (event: Event): string => JSON.stringify(stateOf(event));

/**
 * Coarse logarithm of a count, never falling: nothing below 8, by octaves up to 64, by quarters of one above. Its index orders by count
 * within groups and changes a few times in an event's life.
 */
export const magnitude = (count: number): number => {
  if (count < 8) return 0;
  return count < 64 ? 29 - Math.clz32(count) : 4 + Math.floor(4 * (Math.log2(count) - 6));
};
