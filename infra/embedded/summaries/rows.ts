import { MAX_LOOKED_AT } from '#domain/ports/events/event-summaries.ts';
import type { AccessChoice } from '#infra/embedded/events/count.ts';
import { type AccessPath, type Conditions, hasTime, selection, slim, through } from '#infra/embedded/events/filter.ts';
import type { Sql } from '#infra/embedded/sqlite/sql.ts';

/** Indexes whose rows of one value are in the order of event time. */
const IN_TIME: readonly AccessPath[] = ['status', 'source', 'ci'];
/** Row count above which the newest are found faster in the order of event time than by sorting all. */
const MAX_SORTED = 5 * MAX_LOOKED_AT;

const isSingle = (conditions: Conditions, access: AccessPath): boolean =>
  (conditions[access as 'status'] as Sql | undefined)?.text.endsWith('= ?') ?? false;

function orderOf(conditions: Conditions, { access, rows }: AccessChoice, seq: string): string {
  if (rows <= MAX_LOOKED_AT) return '';
  if (access === 'time') return 'ORDER BY t.slot DESC';
  return `ORDER BY ${IN_TIME.includes(access) && isSingle(conditions, access) ? 'e.timestamp' : seq} DESC`;
}

/** True if rows are ordered newest first: those of full text, and those of one value. */
const isOrdered = (conditions: Conditions, { access }: AccessChoice): boolean =>
  access === 'time' || access === 'search' || isSingle(conditions, access);

/** Returns the numbers of the events, as `seq`: above the scan limit one more than that, the newest. */
export function lookedAt(conditions: Conditions, best: AccessChoice | null, extra: readonly Sql[] = []): Sql {
  const limit = `LIMIT ${MAX_LOOKED_AT + 1}`;
  if (best === null || (best.rows > MAX_SORTED && !isOrdered(conditions, best))) {
    const { text, values } = selection('event e INDEXED BY event_timestamp', conditions, hasTime(conditions), extra);
    return { text: `SELECT e.seq AS seq ${text} ORDER BY e.timestamp DESC ${limit}`, values };
  }
  const small = slim(best.access, conditions, extra);
  const { text, values } = small ?? through(best.access, conditions, false, extra);
  const seq = small === null ? 'e.seq' : best.access === 'search' ? 'event_text.rowid' : 'f.seq';
  return { text: `SELECT ${seq} AS seq ${text} ${orderOf(conditions, best, seq)} ${limit}`, values };
}
