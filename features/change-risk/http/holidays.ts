import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { invalid } from '#domain/fault.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { DOCUMENTS } from '#features/ai/rules/pack.ts';
import { evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { GenerateHolidays, HolidaysBody } from '#features/change-risk/schemas/holidays.ts';
import {
  generateHolidays,
  type HolidayDay,
  type HolidaysAsked,
} from '#features/change-risk/use-cases/calendar/generate-holidays.ts';

interface HolidaysRequest extends HolidaysAsked {
  readonly said: string;
}
interface HolidaysResult extends HolidaysRequest {
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
const groundsOf = ({ country, year, said, days }: HolidaysResult) => {
  const free = days.filter(({ holiday, regions }) => holiday.type === 'public' && regions.length === 0);
  const dates = new Set(free.map(({ date }) => date));
  const text = `${said} has ${counted(dates.size, 'day')} of public holidays in ${year}.`;
  return evidenceBody({
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
export const holidayGenerator = endpoint<HolidaysRequest, HolidaysResult>({
  id: 'ai.holiday-generator',
  summary: 'List public holidays',
  description:
    'Covers about 200 countries from 1970 to 2100. Computed by rules, without a model. Data: date-holidays, CC BY-SA 3.0, based on Wikipedia.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai',
  mounts: on.ai.post('/ai/holiday-generator', {
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
  handle: async (asked, { ports }) => {
    const days = await generateHolidays(ports, asked);
    if (days === null) throw invalid('country', `no holiday data for ${asked.said}`);
    return { ...asked, days };
  },
});
