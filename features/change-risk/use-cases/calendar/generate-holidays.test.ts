import { expect, test } from '@jest/globals';
import { openHolidays } from '#features/change-risk/stores/open-holidays.ts';
import { generateHolidays, type HolidayDay } from './generate-holidays.ts';

const holidays = openHolidays();
const of = async (country: string, includeRegional = false, year = 2026): Promise<readonly HolidayDay[]> =>
  (await generateHolidays({ holidays }, { country, year, includeRegional })) ?? [];
const regionsOf = (days: readonly HolidayDay[], date: string, name: string) =>
  days.find((day) => day.date === date && day.holiday.name === name)?.regions;

test('the whole country alone has no regions', async () => {
  const days = await of('DE');
  expect(days.every(({ regions }) => regions.length === 0)).toBe(true);
  expect(regionsOf(days, '2026-01-06', 'Epiphany')).toBeUndefined();
  expect(days.map(({ date }) => date)).toEqual([...days.map(({ date }) => date)].sort());
});

test('regional ones name states, and a part of a state only where its state has it not', async () => {
  const days = await of('DE', true);
  expect(regionsOf(days, '2026-12-25', 'Christmas Day')).toEqual([]);
  expect(regionsOf(days, '2026-01-06', 'Epiphany')).toEqual(['DE-BW', 'DE-BY', 'DE-ST']);
  expect(days.filter(({ regions }) => regions.includes('DE-BY-A')).map(({ date }) => date)).toEqual([
    '2026-08-08',
    '2026-08-15',
  ]);
});

test('a national one that a state has not names the others', async () => {
  const days = await of('GB', true);
  const having = regionsOf(days, '2026-04-06', 'Easter Monday');
  expect(having).toContain('GB-ENG');
  expect(having).not.toContain('GB-SCT');
});

test('one of several days has a row for each, also when it began in the year before', async () => {
  const dates = (await of('SZ')).filter(({ holiday }) => holiday.begins.endsWith('-12-28')).map(({ date }) => date);
  expect(dates).toEqual(['2026-01-01', '2026-01-02', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31']);
});

test('nothing is known of some countries', async () => {
  expect(await generateHolidays({ holidays }, { country: 'AQ', year: 2026, includeRegional: false })).toBeNull();
});
