import { context } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { Desk } from './desk.ts';

/** Counts and times of the tenant. */
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
  desk.say(`Data begin ${begin.text}: nothing is known of the time before.`, begin.row);
}

/** True if the time ends before the first event, so that no answer is possible. */
export async function isBeforeData(desk: Desk): Promise<boolean> {
  const { time } = desk.reading;
  const begin = await dataBegin(desk);
  if (begin === null || time === null || time.range.to > begin.at) return false;
  desk.isAbstained = true;
  desk.say(`Not known: data begin ${begin.text}, after the time of the question.`, begin.row);
  return true;
}
