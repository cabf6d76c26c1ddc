import { MAX_LOOKED_AT } from '#domain/ports/events/event-summaries.ts';
import type { Choice } from '#infra/embedded/events/count.ts';
import { type Access, type Conditions, selection, through } from '#infra/embedded/events/filter.ts';
import type { Sql } from '#infra/embedded/sqlite/sql.ts';

/** Indexes whose rows of one value are in the order of event time. */
const IN_TIME: readonly Access[] = ['status', 'source', 'ci'];
const ORDERED: Readonly<Partial<Record<Access, string>>> = { time: 't.slot DESC' };

function orderOf(conditions: Conditions, { access, rows }: Choice): string {
  if (rows <= MAX_LOOKED_AT) return '';
  const isSingle = IN_TIME.includes(access) && (conditions[access as 'status'] as Sql).text.endsWith('= ?');
  return `ORDER BY ${isSingle ? 'e.timestamp DESC' : (ORDERED[access] ?? 'e.seq DESC')}`;
}

/** The numbers of the events, as `seq`: of more than may be looked at one more than that, the newest. */
export function lookedAt(conditions: Conditions, best: Choice | null, extra: readonly Sql[] = []): Sql {
  const { text, values } =
    best === null
      ? selection('event e INDEXED BY event_timestamp', conditions, false, extra)
      : through(best.access, conditions, false, extra);
  const order = best === null ? 'ORDER BY e.timestamp DESC' : orderOf(conditions, best);
  return { text: `SELECT e.seq AS seq ${text} ${order} LIMIT ${MAX_LOOKED_AT + 1}`, values };
}
