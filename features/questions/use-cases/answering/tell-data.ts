import { context } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { Desk } from './desk.ts';

/** Time of the first event; null when there is none. */
export async function dataBegin(desk: Desk) {
  const looked = await desk.look(context, {});
  const [row] = looked.rows;
  const since = row?.dataSince;
  return row === undefined || since == null
    ? null
    : { looked, row, at: Date.parse(since), text: desk.clock.time(since) };
}

async function beginOf(desk: Desk) {
  const begin = await dataBegin(desk);
  return begin === null ? null : { ...begin, ref: desk.ref(begin.looked, begin.row) };
}

/** A part of the time is before the first event: nothing is known of it. */
export async function tellDataBegin(desk: Desk): Promise<void> {
  const { time } = desk.reading;
  const begin = await beginOf(desk);
  if (begin === null || time === null || time.range.from >= begin.at) return;
  desk.say(`Data begin ${begin.text}: nothing is known of the time before.`, [begin.ref]);
}

/** True if the time ends before the first event, so that no answer is possible. */
export async function isBeforeData(desk: Desk): Promise<boolean> {
  const { time } = desk.reading;
  const begin = await beginOf(desk);
  if (begin === null || time === null || time.range.to > begin.at) return false;
  desk.isAbstained = true;
  desk.say(`Not known: data begin ${begin.text}, after the time of the question.`, [begin.ref]);
  return true;
}
