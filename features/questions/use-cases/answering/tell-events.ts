import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, type LookUp, listed, onPlace, quoted } from './desk.ts';

export const isSevere = ({ severity }: { readonly severity: Severity | null }): boolean =>
  severity === 'critical' || severity === 'major';
/** The most severe first, of these the oldest. */
export const worstFirst = (a: ToolEventRow, b: ToolEventRow): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.from.localeCompare(b.from);
export const newestFirst = (a: ToolEventRow, b: ToolEventRow): number => b.from.localeCompare(a.from);

const spanOf = ({ clock }: Desk, { status, from, to }: ToolEventRow): string =>
  to === null ? `${status}, since ${clock.ago(from)}` : `${status}, ${clock.span(from, to)}`;

/** One sentence for each event; `rest` describes the events beyond `most`. */
export function tellEvents(
  desk: Desk,
  looked: LookUp<ToolEventRow>,
  rows: readonly ToolEventRow[],
  { most = 8, rest = 'more' } = {},
): void {
  for (const row of rows.slice(0, most))
    desk.say(`${quoted(row.title)}${onPlace(row.place)}: ${row.severity}, ${spanOf(desk, row)}.`, row);
  if (rows.length > most) desk.say(`${rows.length - most} ${rest}.`, looked);
}

/** Rows with one complaint, apart from numbers in it; `also` is a further common value. */
export const folded = <R extends { readonly title: string }>(
  rows: readonly R[],
  also: (row: R) => unknown = () => '',
) => [...Map.groupBy(rows, (row) => `${also(row)} ${row.title.replaceAll(/\d+(?:[.,]\d+)?/g, '#')}`).values()];
export const placesOf = (rows: readonly { readonly place: string | null }[]): string =>
  listed(rows.flatMap(({ place }) => place ?? []));

/** Complaints that differ in numbers alone are one sentence with their places. */
export function tellFolded(desk: Desk, looked: LookUp<ToolEventRow>, rows: readonly ToolEventRow[], most = 8): void {
  const all = folded(rows, ({ severity }) => severity);
  for (const same of all.slice(0, most)) {
    const one = same[0] as ToolEventRow;
    desk.say(
      `${quoted(one.title)}${onPlace(placesOf(same) || null)}: ${one.severity}, ${spanOf(desk, one)}.`,
      same.slice(0, 3),
    );
  }
  if (all.length > most) desk.say(`${all.length - most} more kinds of events.`, looked);
}
