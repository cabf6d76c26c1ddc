import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import { context } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, type LookUp, listed, onPlace, quoted } from './desk.ts';

export const isSevere = ({ severity }: { readonly severity: Severity | null }): boolean =>
  severity === 'critical' || severity === 'major';
export const SEVERE = ['critical', 'major'] as const;
/** Events that report no change. */
export const faultsIn = (rows: readonly ToolEventRow[]) => rows.filter(({ isChange }) => !isChange);
/** ID of the incident of an event: of its group, else its own. */
export const incidentOf = ({ groupId, eventId }: Pick<ToolEventRow, 'groupId' | 'eventId'>): string =>
  groupId ?? eventId;
/** Ended events, the last ended first. */
export const endedIn = <R extends { readonly to: string | null }>(rows: readonly R[]) =>
  rows.filter(({ to }) => to !== null).toSorted((a, b) => (b.to ?? '').localeCompare(a.to ?? ''));
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
    desk.say(row)`${quoted(row.title)}${onPlace(row.place)}: ${row.severity}, ${spanOf(desk, row)}.`;
  if (rows.length > most) desk.say(looked)`${rows.length - most} ${rest}.`;
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
    desk.say(same.slice(0, 3))`${quoted(one.title)}${onPlace(placesOf(same) || null)}: ${one.severity},
      ${spanOf(desk, one)}.`;
  }
  if (all.length > most) desk.say(looked)`${all.length - most} more kinds of events.`;
}
export const contextOf = (desk: Desk) => desk.find(context, {});

/** Time of the first event; null when there is none. */
export async function dataBegin(desk: Desk) {
  const row = await contextOf(desk);
  return row?.dataSince == null ? null : { row, at: Date.parse(row.dataSince), text: desk.clock.time(row.dataSince) };
}

/** A part of the time is before the first event: nothing is known of it. */
export async function tellDataBegin(desk: Desk): Promise<void> {
  const { time } = desk.reading;
  const begin = await dataBegin(desk);
  if (begin === null || time === null || time.range.from >= begin.at) return;
  desk.say(begin.row)`Data begin ${begin.text}: nothing is known of the time before.`;
}

/** True if the time ends before the first event, so that no answer is possible. */
export async function isBeforeData(desk: Desk): Promise<boolean> {
  const { time, things } = desk.reading;
  const begin = time === null ? null : await dataBegin(desk);
  if (begin === null || time === null || time.range.to > begin.at) return false;
  desk.isAbstained = true;
  if (things[0] !== undefined) desk.rememberThing(things[0]);
  desk.say(begin.row)`Not known: no data before ${begin.text}, which is after the time of the question.`;
  return true;
}
