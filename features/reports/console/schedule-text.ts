import type { FileColumn } from '#console/data/csv/csv.ts';
import type { ScheduleData } from './api.ts';
import * as text from './texts.ts';

export const PERIODS = [
  ['day', text.everyDay],
  ['week', text.everyWeek],
  ['month', text.everyMonth],
] as const;
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** `Every Monday at 08:00 (Europe/Berlin)`. */
export const whenWords = ({ every, weekday, at, time_zone }: ScheduleData): string => {
  const days = { day: text.everyDay, week: text.everyOf(WEEKDAYS[weekday - 1] ?? ''), month: text.everyFirst };
  return text.atTime(days[every], at, time_zone);
};

export const SCHEDULE_COLUMNS: readonly FileColumn<ScheduleData>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Format', cell: ({ format }) => format },
  { title: 'When', cell: whenWords },
  { title: 'Created by', cell: ({ created_by: by }) => by.name },
  { title: 'Next', cell: ({ next_at: at }) => at },
  { title: 'Last error', cell: ({ last_error: error }) => error },
];
