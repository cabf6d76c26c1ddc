import { runInNewContext } from 'node:vm';
import ICAL from 'ical.js';
import type { Calendars } from '#features/on-call/rules/calendars.ts';
import type { OnCallShift } from '#features/on-call/rules/on-call.ts';

const MAX_SHIFTS = 500;
/** Occurrences of one event that are looked at: those of a weekday for decades. */
const MAX_OCCURRENCES = 5_000;
const MAX_NAME = 255;
/** Maximum length of a recurring shift: earlier ones are over. */
const LONGEST_MS = 31 * 24 * 3_600_000;

const MAIL = /^mailto:/i;

/** The first attendee, else the title of the event. */
const personOf = (event: ICAL.Event): Pick<OnCallShift, 'name' | 'mail'> => {
  const attendee = event.attendees[0];
  const address = attendee?.getFirstValue()?.toString() ?? '';
  const mail = MAIL.test(address) ? address.replace(MAIL, '') : null;
  const called = attendee?.getFirstParameter('cn');
  return { name: (called ?? event.summary ?? mail ?? '').slice(0, MAX_NAME), mail };
};

const shiftOf = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): OnCallShift => ({
  from: start.toJSDate().getTime(),
  to: end.toJSDate().getTime(),
  ...personOf(event),
});

const shiftsOfEvent = (event: ICAL.Event, range: { readonly from: number; readonly to: number }): OnCallShift[] => {
  const meets = ({ from, to }: OnCallShift): boolean => from < range.to && to > range.from;
  if (!event.isRecurring()) return [shiftOf(event, event.startDate, event.endDate)].filter(meets);
  const found: OnCallShift[] = [];
  const occurrences = event.iterator();
  for (let at = 0; at < MAX_OCCURRENCES && found.length < MAX_SHIFTS; at++) {
    const next = occurrences.next();
    const start = next?.toJSDate().getTime() ?? range.to;
    if (start >= range.to) break;
    if (start < range.from - LONGEST_MS) continue;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const shift = shiftOf(item, startDate, endDate);
    if (meets(shift)) found.push(shift);
  }
  return found;
};

/** Changed occurrences belong to the event that recurs, and are no events of their own. */
const eventsOf = (text: string): ICAL.Event[] => {
  const root = new ICAL.Component(ICAL.parse(text) as never);
  if (root.name !== 'vcalendar') throw new Error('expected an iCalendar file');
  const all = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const exceptions = Map.groupBy(
    all.filter((event) => event.isRecurrenceException()),
    ({ uid }) => uid,
  );
  const whole = all.filter((event) => !event.isRecurrenceException());
  for (const event of whole) for (const other of exceptions.get(event.uid) ?? []) event.relateException(other);
  return whole;
};

/** A rule without any day, such as 30 February, makes the library search for ever. */
const MAX_MS = 1_000;
const inTime = <T>(work: () => T): T => {
  try {
    return runInNewContext('work()', { work }, { timeout: MAX_MS }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error('a recurrence rule has no end', { cause: error });
  }
};

export const calendars: Calendars = {
  shiftsOf: (text, range) =>
    inTime(() => eventsOf(text).flatMap((event) => shiftsOfEvent(event, range)))
      .sort((a, b) => a.from - b.from)
      .slice(0, MAX_SHIFTS),
};
