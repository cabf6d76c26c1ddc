import { hasFacet } from '#infra/embedded/facets/conditions.ts';
import { interruptible } from '#infra/embedded/journal/interrupt.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { type Access, type Conditions, hasTime, timeConditions } from './filter.ts';

/** What leads to `event_facet f`: the events themselves, which are large, are not read. All but `time` belong to one tenant. */
const FROM: Readonly<Partial<Record<Access, string>>> = {
  host: 'event_facet f INDEXED BY event_facet_host',
  service: 'event_facet f INDEXED BY event_facet_service',
  environment: 'event_facet f INDEXED BY event_facet_environment',
  assignee: 'event_facet f INDEXED BY event_facet_assignee',
  search: 'event_text CROSS JOIN event_facet f ON f.seq = event_text.rowid',
  words: 'event_facet f NOT INDEXED',
  tag: 'event_facet f NOT INDEXED',
  time: 'tally t INDEXED BY tally_slot CROSS JOIN event_facet f ON f.seq = t.seq',
};

/** Conditions that are about the number of the event, or about what `event_facet` and `tally` repeat. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['tenant', 'status', 'severity', 'from', 'to', 'search', 'words', 'tag'],
  ...['host', 'service', 'environment', 'assignee', 'nobody', 'flags'],
]);

const overFacet = ({ text, values }: Sql): Sql => ({ text: text.replace(/\be\./g, 'f.'), values });

/** FROM and WHERE over `event_facet f` with every condition of the filter; null when the events have to be read. */
export function slim(access: Access, conditions: Conditions, extra: readonly Sql[] = []): Sql | null {
  const from = FROM[access];
  if (from === undefined || !Object.keys(conditions).every((name) => KNOWN.has(name))) return null;
  const { tenant, status, severity, search, words, tag, host, service, environment, assignee, nobody, flags } =
    conditions;
  const isTimed = access === 'time';
  const tally = hasTime(conditions) && !isTimed ? ' CROSS JOIN tally t ON t.seq = f.seq' : '';
  const match =
    access === 'search' ? 'event_text MATCH ?' : 'f.seq IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)';
  const given = [status, severity, words, tag, host, service, environment, assignee, nobody, flags, ...extra];
  const where = all([
    ...(isTimed ? [sql('t.tenant = ?', tenant)] : []),
    ...given.filter((condition) => condition !== undefined).map(overFacet),
    ...timeConditions(conditions),
    ...(search == null ? [] : [sql(match, search)]),
    sql(interruptible(isTimed ? 't.seq' : 'f.seq')),
  ]);
  return { text: `FROM ${from}${tally} WHERE ${where.text}`, values: where.values };
}

/** As `slim`, over all events of the tenant, when nothing leads to fewer and `event_facet` alone knows which are meant. */
export const slimOverAll = (conditions: Conditions): Sql | null =>
  hasFacet(conditions) || conditions.nobody !== undefined ? slim('time', conditions) : null;
