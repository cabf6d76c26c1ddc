import { chanceOf } from '#domain/statistics/rate-test.ts';
import { SIGNIFICANT } from '#features/questions/rules/telling/insights.ts';
import { nothingFor, nounOf, rangeText, said } from '#features/questions/rules/telling/say-value.ts';
import { rowRef } from '../evidence.ts';
import type { NumberRow, ToolFound } from '../tools.ts';
import { either, narrowedBy } from './narrowed.ts';
import type { Telling } from './telling.ts';

const whenOf = ({ from, to }: NumberRow): string =>
  from === null || to === null ? '' : ` (${rangeText({ from: Date.parse(from), to: Date.parse(to) })})`;
const onOf = ({ ciName }: NumberRow): string => (ciName === null ? '' : ` on ${ciName}`);
/** Counts are exact. */
const shown = ({ value, unit }: NumberRow): string =>
  value === null ? 'none' : unit === 'count' ? String(value) : said(value, unit);

const BEGIN: ReadonlySet<NumberRow['metric']> = new Set(['events', 'changes', 'incidents']);
/** Entries of a time; lists of events have all that were on in it. */
const countedBy = ({ metric, value }: NumberRow): string =>
  BEGIN.has(metric) ? `, by when ${value === 1 ? 'it' : 'they'} began` : '';

/** One number with its time. */
export function tellNumber({ findings }: Telling, run: ToolFound<'analytics-query'>): void {
  for (const row of run.rows) {
    const { metric, value, unit } = row;
    const { severity, status } = run.params;
    const isOfOpen = metric === 'open_events' && status === 'open';
    const which = [isOfOpen ? undefined : status, severity]
      .flatMap((one) => (one === undefined ? [] : `${either(one)} `))
      .join('');
    const ofEvents = which === '' ? '' : ` of ${which}events`;
    const ref = rowRef(findings, run, row);
    const unseen = isOfOpen ? ' that nobody has acknowledged' : '';
    const where = `${onOf(row)}${narrowedBy(run.params)}${unseen}${whenOf(row)}`;
    if (value === null)
      findings.say(`The ${nounOf(metric)}${ofEvents}${where} is not known: ${nothingFor(metric)}.`, [ref]);
    else if (unit === 'count')
      findings.say(
        value === 0
          ? `No ${which}${nounOf(metric)}${where}.`
          : `${shown(row)} ${which}${nounOf(metric, value)}${where}${row.from === null ? '' : countedBy(row)}.`,
        [ref],
      );
    else findings.say(`The ${nounOf(metric)}${ofEvents}${where} is ${shown(row)}, of ${row.count}.`, [ref]);
  }
}

/** Counts of things that come by themselves, so that chance makes them differ. */
const RATES: ReadonlySet<NumberRow['metric']> = new Set(['events', 'incidents', 'changes']);

/** The first number against the second: of the time before, or of another CI. */
export function tellCompared({ findings, runs }: Telling): void {
  const numbers = runs.flatMap((run) =>
    run.tool === 'analytics-query' ? run.rows.map((row) => ({ row, ref: rowRef(findings, run, row) })) : [],
  );
  const [first, second] = numbers;
  if (first === undefined || second === undefined || first.row.value === null || second.row.value === null) return;
  const refs = [first.ref, second.ref];
  const noun = nounOf(first.row.metric);
  const against = second.row.ciId === first.row.ciId ? 'than in the equal time before' : `than${onOf(second.row)}`;
  const where = second.row.ciId === first.row.ciId ? '' : `${onOf(first.row)} `.trimStart();
  const isChance = RATES.has(first.row.metric) && chanceOf(second.row.count, first.row.count) >= SIGNIFICANT;
  if (first.row.value === second.row.value)
    findings.say(`No difference: the ${noun} are ${shown(first.row)} both times.`, refs);
  else {
    const more = first.row.value > second.row.value;
    const word = first.row.unit === 'count' ? (more ? 'More' : 'Fewer') : more ? 'A higher' : 'A lower';
    const note = isChance ? ', a difference that chance explains' : '';
    findings.say(`${word} ${noun} ${where}${against}: ${shown(first.row)} against ${shown(second.row)}${note}.`, refs);
  }
}
