import { clockTime } from '#features/ai/rules/findings.ts';
import { causeRef, percentOf, rowRef, wholeRef } from '../evidence.ts';
import type { EventToolRow, ToolFound, ToolRun } from '../tools.ts';
import type { Telling } from './telling.ts';

const CAUSES = 3;
const LIKELY = 0.5;
const MAX_TITLE = 120;

export const quoted = (title: string): string =>
  `"${title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title}"`;
export const whereOf = ({ ciName, hostname }: EventToolRow): string => {
  const name = ciName ?? hostname;
  return name === null ? '' : ` on ${name}`;
};

/** Each cause once, the surest first. */
function causesIn(rows: readonly EventToolRow[], abstainBelow: number) {
  const found = new Map<string, { readonly row: EventToolRow; readonly cause: NonNullable<EventToolRow['cause']> }>();
  for (const row of rows)
    if (row.cause !== null && row.cause.confidence >= abstainBelow && !found.has(row.cause.eventId))
      found.set(row.cause.eventId, { row, cause: row.cause });
  return [...found.values()].sort((a, b) => b.cause.confidence - a.cause.confidence).slice(0, CAUSES);
}

/** A cause that is sure enough, of what `is` or `was` wrong. */
function sayCause(
  { findings }: Telling,
  run: ToolFound<'search-events'>,
  { row, cause }: ReturnType<typeof causesIn>[number],
  verb: 'is' | 'was',
): void {
  const isLikely = cause.confidence >= LIKELY;
  const where = cause.ciName === null ? '' : ` on ${cause.ciName}`;
  const itself = verb === 'was' && cause.eventId === row.eventId;
  const what = itself ? `it ${verb} itself` : `${quoted(cause.title)}${where} ${verb}`;
  findings.say(
    `${isLikely ? 'Probably' : 'Possibly'} ${what} the cause${itself ? ' of its group' : ''}: confidence ${percentOf(cause.confidence)} %, group ${row.groupId}.`,
    [rowRef(findings, run, row), causeRef(findings, row)],
    isLikely ? 'likely' : 'possible',
  );
}

/** The probable cause of the events; false when none can be named. */
export function tellCauses(telling: Telling, run: ToolFound<'search-events'>): boolean {
  const { findings, abstainBelow, runs } = telling;
  const causes = causesIn(run.rows, abstainBelow);
  for (const found of causes) sayCause(telling, run, found, 'is');
  if (causes.length > 0) return true;
  // Ended events are told instead.
  if (run.total === 0 && (ended(runs)?.total ?? 0) > 0) return false;
  const why =
    run.total === 0
      ? 'no event tells of a problem'
      : 'none of these events belongs to a group with a cause that is sure enough';
  findings.say(`No cause can be named: ${why}.`, [wholeRef(findings, run)]);
  return false;
}

export const isOfEnded = ({ params }: ToolFound<'search-events'>): boolean =>
  params.status === 'resolved' && params.timeRange === undefined;

const ended = (runs: readonly ToolRun[]): ToolFound<'search-events'> | undefined =>
  runs.find((run): run is ToolFound<'search-events'> => run.tool === 'search-events' && isOfEnded(run));

/** The newest incident that is over, for who asks why while nothing is open. False when no cause of it is named. */
export function tellEnded(telling: Telling, run: ToolFound<'search-events'>): boolean {
  const [newest] = run.rows;
  const isOpen = telling.runs.some((other) => other !== run && other.tool === 'search-events' && other.total > 0);
  if (isOpen || newest === undefined) return false;
  const { findings, abstainBelow } = telling;
  const from = clockTime(Date.parse(newest.firstOccurrence));
  const to = clockTime(Date.parse(newest.lastOccurrence));
  const when = from === to ? `at ${from}` : `from ${from} to ${to}`;
  findings.say(
    `The newest event${whereOf(newest)} is over: ${quoted(newest.title)}, ${newest.severity}, seen ${when}, ${newest.status}.`,
    [rowRef(findings, run, newest)],
  );
  const [cause] = causesIn([newest], abstainBelow);
  if (cause === undefined) {
    findings.say('No cause of it can be named.', [rowRef(findings, run, newest)]);
    return false;
  }
  sayCause(telling, run, cause, 'was');
  return true;
}
