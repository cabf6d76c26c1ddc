import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { invalid } from '#domain/fault.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { DOCUMENTS } from '#features/ai/rules/pack.ts';
import { groundsBody } from '#features/ai/schemas/grounds.ts';
import { GenerateHolidays, HolidaysBody } from '#features/change-risk/schemas/holidays.ts';
import {
  generateHolidays,
  type HolidayDay,
  type HolidaysAsked,
} from '#features/change-risk/use-cases/calendar/generate-holidays.ts';

interface Asked extends HolidaysAsked {
  readonly said: string;
}
interface Told extends Asked {
  readonly days: readonly HolidayDay[];
}

const holidayBody = ({ date, holiday: { name, type, substitute, isFixed, isApproximate }, regions }: HolidayDay) => ({
  date,
  name,
  type: isFixed ? 'fixed' : 'floating',
  isPublicHoliday: type === 'public',
  kind: type,
  substitute,
  approximate: isApproximate,
  regions: [...regions],
});

/** A date is a fact: no model is asked, and the calendar is the evidence. */
const groundsOf = ({ country, year, said, days }: Told) => {
  const free = days.filter(({ holiday, regions }) => holiday.type === 'public' && regions.length === 0);
  const dates = new Set(free.map(({ date }) => date));
  const text = `${said} has ${counted(dates.size, 'day')} of public holidays in ${year}.`;
  return groundsBody({
    generatedBy: 'rules',
    model: null,
    abstained: false,
    degraded: null,
    claims: [{ text, refs: ['D1'], certainty: 'fact' }],
    citations: [
      {
        ref: 'D1',
        kind: 'record',
        id: `holidays-${country}-${year}`,
        label: 'date-holidays, CC BY-SA 3.0',
        href: DOCUMENTS,
      },
    ],
  });
};

/** Holidays of a country. */
export const holidayGenerator = endpoint<Asked, Told>({
  id: 'ai.holiday-generator',
  summary: 'List the holidays of a country in a year',
  description:
    'From 1970 to 2100, of some 200 countries, computed by rules; no model is asked. Data: date-holidays, CC BY-SA 3.0, after articles of Wikipedia.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: '/ai/holiday-generator',
      body: GenerateHolidays,
      reply: HolidaysBody,
      read: ({ body: { country, year, includeRegional } }) => ({
        country: country.code,
        said: country.said,
        year,
        includeRegional,
      }),
      present: (told) => ({
        body: {
          country: told.said,
          countryCode: told.country,
          year: told.year,
          holidays: told.days.map(holidayBody),
          ...groundsOf(told),
        },
      }),
    }),
  ],
  handle: async (asked, { ports }) => {
    const days = await generateHolidays(ports, asked);
    if (days === null) throw invalid('country', `the holidays of ${asked.said} are not known`);
    return { ...asked, days };
  },
});
