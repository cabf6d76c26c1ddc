import { clockTime, counted } from '#domain/ai/findings.ts';
import { causeRef, percentOf, rowRef, wholeRef } from '../evidence.ts';
import type { EventRow, Found } from '../tools.ts';
import { either, narrowedBy } from './narrowed.ts';
import type { Telling } from './telling.ts';

const TOLD = 5;
const CAUSES = 3;
const LIKELY = 0.5;
const MAX_TITLE = 120;

const quoted = (title: string): string => `"${title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title}"`;
const whereOf = ({ ciName, hostname }: EventRow): string => {
  const name = ciName ?? hostname;
  return name === null ? '' : ` on ${name}`;
};

/** `2 critical events on db-1, yesterday`. */
const headOf = ({ reading, runs }: Telling, { params, rows, total }: Found<'search-events'>): string => {
  const { severity, status, timeRange, ciId } = params;
  const details = runs.flatMap((run) => (run.tool === 'get-ci-details' ? run.rows : []));
  const known = [...reading.cis, ...(reading.current === null ? [] : [reading.current])];
  const name =
    rows[0]?.ciName ??
    details.find((row) => row.ciId === ciId || row.name === ciId)?.name ??
    known.find(({ id, name }) => id === ciId || name === ciId)?.name;
  const noun = [
    ...(timeRange === undefined && status === undefined ? ['open'] : []),
    ...(status === undefined ? [] : [either(status)]),
    ...(severity === undefined ? [] : [either(severity)]),
    'event',
  ].join(' ');
  const where = `${ciId === undefined || name === undefined ? '' : ` on ${name}`}${narrowedBy(params)}`;
  // Words of a time are those of the message; a model may have chosen others.
  const isSaid = timeRange !== undefined && timeRange === reading.time?.text;
  const when = timeRange === undefined ? '' : isSaid ? `, ${timeRange}` : ' in the time that was looked at';
  return total === 0 ? `No ${noun}${where}${when}` : `${counted(total, noun)}${where}${when}`;
};

const lineOf = (row: EventRow): string =>
  `${quoted(row.title)}${whereOf(row)}: ${row.severity}, ${row.status}, since ${clockTime(Date.parse(row.firstOccurrence))}.`;

/** Each cause once, the surest first. */
function causesIn(rows: readonly EventRow[], abstainBelow: number) {
  const found = new Map<string, { readonly row: EventRow; readonly cause: NonNullable<EventRow['cause']> }>();
  for (const row of rows)
    if (row.cause !== null && row.cause.confidence >= abstainBelow && !found.has(row.cause.eventId))
      found.set(row.cause.eventId, { row, cause: row.cause });
  return [...found.values()].sort((a, b) => b.cause.confidence - a.cause.confidence).slice(0, CAUSES);
}

/** What probably caused the events; false when none can be named. */
function tellCauses({ findings, abstainBelow }: Telling, run: Found<'search-events'>): boolean {
  const causes = causesIn(run.rows, abstainBelow);
  for (const { row, cause } of causes) {
    const isLikely = cause.confidence >= LIKELY;
    const where = cause.ciName === null ? '' : ` on ${cause.ciName}`;
    findings.say(
      `${isLikely ? 'Probably' : 'Possibly'} ${quoted(cause.title)}${where} is the cause: confidence ${percentOf(cause.confidence)} %, group ${row.groupId}.`,
      [rowRef(findings, run, row), causeRef(findings, row)],
      isLikely ? 'likely' : 'possible',
    );
  }
  if (causes.length > 0) return true;
  const why =
    run.total === 0
      ? 'no event tells of a problem'
      : 'none of these events belongs to a group with a cause that is sure enough';
  findings.say(`No cause can be named: ${why}.`, [wholeRef(findings, run)]);
  return false;
}

/** Events as they were asked for, and their causes where a reason was. Returns false when a cause was asked for and none is named. */
export function tellEvents(telling: Telling, run: Found<'search-events'>): boolean {
  const { findings, reading } = telling;
  // Details of the CI, or the context, have told how many are open.
  const tellsCount = telling.runs.some(({ tool }) => tool === 'get-ci-details' || tool === 'get-context');
  const isTold = tellsCount && run.params.timeRange === undefined;
  if (!isTold || reading.intent === 'why') findings.say(`${headOf(telling, run)}.`, [wholeRef(findings, run)]);
  const named = reading.intent === 'why' ? tellCauses(telling, run) : true;
  if (reading.intent === 'count') return named;
  const most = reading.intent === 'why' ? 2 : TOLD;
  for (const row of run.rows.slice(0, most)) findings.say(lineOf(row), [rowRef(findings, run, row)]);
  return named;
}
