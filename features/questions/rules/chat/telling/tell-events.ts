import { clockTime, counted } from '#features/ai/rules/findings.ts';
import { rowRef, wholeRef } from '../evidence.ts';
import type { EventToolRow, ToolFound } from '../tools.ts';
import { either, narrowedBy } from './narrowed.ts';
import { isOfEnded, quoted, tellCauses, tellEnded, whereOf } from './tell-causes.ts';
import type { Telling } from './telling.ts';

const TOLD = 5;

/** `2 critical events on db-1, yesterday`. */
const headOf = ({ reading, runs }: Telling, { params, rows, total }: ToolFound<'search-events'>): string => {
  const { severity, status, timeRange, ciId, groupId } = params;
  const details = runs.flatMap((run) => (run.tool === 'get-ci-details' ? run.rows : []));
  const known = [...reading.cis, ...(reading.current === null ? [] : [reading.current])];
  const name =
    rows[0]?.ciName ??
    details.find((row) => row.ciId === ciId || row.name === ciId)?.name ??
    known.find(({ id, name }) => id === ciId || name === ciId)?.name;
  const noun = [
    ...(timeRange === undefined && status === undefined && groupId === undefined ? ['open'] : []),
    ...(status === undefined ? [] : [either(status)]),
    ...(severity === undefined ? [] : [either(severity)]),
    'event',
  ].join(' ');
  const of = groupId === undefined ? '' : ` in group ${groupId}`;
  const where = `${ciId === undefined || name === undefined ? '' : ` on ${name}`}${of}${narrowedBy(params)}`;
  // Words of a time are those of the message; a model may have chosen others.
  const isSaid = timeRange !== undefined && timeRange === reading.time?.text;
  const when = timeRange === undefined ? '' : isSaid ? `, ${timeRange}` : ' in the time that was looked at';
  if (total === 0) return `No ${noun}s${where}${when.replace(', ', ' ')}`;
  return `${counted(total, noun)}${where}${when}`;
};

const lineOf = (row: EventToolRow): string =>
  `${quoted(row.title)}${whereOf(row)}: ${row.severity}, ${row.status}, since ${clockTime(Date.parse(row.firstOccurrence))}.`;

/** Events as they were asked for, and their causes where a reason was. Returns false when a cause was asked for and none is named. */
export function tellEvents(telling: Telling, run: ToolFound<'search-events'>): boolean {
  const { findings, reading } = telling;
  if (reading.intent === 'why' && isOfEnded(run)) return tellEnded(telling, run);
  // Details of the CI, or the context, have told how many are open.
  const tellsCount = telling.runs.some(({ tool }) => tool === 'get-ci-details' || tool === 'get-context');
  const isTold = tellsCount && run.params.timeRange === undefined && run.params.groupId === undefined;
  if (!isTold || reading.intent === 'why') findings.say(`${headOf(telling, run)}.`, [wholeRef(findings, run)]);
  const named = reading.intent === 'why' ? tellCauses(telling, run) : true;
  if (reading.intent === 'count') return named;
  const most = reading.intent === 'why' ? 2 : TOLD;
  for (const row of run.rows.slice(0, most)) findings.say(lineOf(row), [rowRef(findings, run, row)]);
  return named;
}
