import { describe, expect, test } from '@jest/globals';
import { openHolidays } from './open-holidays.ts';

const holidays = openHolidays();
const publicDays = async (country: string, year: number, state?: string) => {
  const found = await holidays.of({ country, ...(state !== undefined && { state }) }, year);
  return new Set(found.filter(({ type }) => type === 'public').flatMap(({ dates }) => dates));
};

describe('Public holidays', () => {
  test.each([
    ['DE', undefined, '2026-12-25', true],
    ['DE', undefined, '2026-12-24', false],
    ['DE', undefined, '2026-01-06', false],
    ['DE', 'BY', '2026-01-06', true],
    ['US', undefined, '2026-07-02', false],
    ['US', undefined, '2026-07-03', true],
    ['US', undefined, '2026-07-04', true],
    ['SG', undefined, '2026-08-09', true],
    ['SG', undefined, '2026-08-11', false],
    ['IL', undefined, '2026-09-11', false],
    ['IL', undefined, '2026-09-12', true],
    ['TR', undefined, '2026-03-19', false],
    ['TR', undefined, '2026-03-20', true],
    ['TR', undefined, '2026-03-22', true],
    ['TR', undefined, '2026-03-23', false],
    ['CN', undefined, '2026-03-08', false],
  ] as const)('%s %s on %s: %s', async (country, state, date, expected) => {
    expect((await publicDays(country, Number(date.slice(0, 4)), state)).has(date)).toBe(expected);
  });

  test('one that stands for another says so', async () => {
    const found = await holidays.of({ country: 'US' }, 2026);
    const on = (date: string) => found.find(({ dates }) => dates.includes(date));
    expect([on('2026-07-03'), on('2026-07-04')]).toMatchObject([{ substitute: true }, { substitute: false }]);
  });

  test('what begins in December goes on in January', async () => {
    const inYear = async (year: number) => (await holidays.of({ country: 'SZ' }, year)).map(({ dates }) => dates);
    const lasting = (await inYear(2025)).find(([first]) => first === '2025-12-28');
    expect(lasting?.at(-1)).toBe('2026-01-02');
    expect(await inYear(2026)).toContainEqual(lasting);
  });

  test.each([
    ['DE', '2026-12-25', 'Christmas Day', true, false],
    ['DE', '2026-04-06', 'Easter Monday', false, false],
    ['US', '2026-11-26', 'Thanksgiving Day', false, false],
    ['US', '2026-07-03', 'Independence Day (substitute day)', true, false],
    ['GB', '2026-12-28', 'Boxing Day (substitute day)', false, false],
    ['TR', '2026-03-20', 'End of Ramadan (Eid al-Fitr)', false, true],
    ['CN', '2026-02-17', 'Spring Festival', false, true],
    ['IL', '2026-09-12', 'Rosh Hashanah (Yom Teruah)', false, false],
  ] as const)('%s %s: %s, fixed %s, approximate %s', async (country, date, name, isFixed, isApproximate) => {
    const found = await holidays.of({ country }, 2026);
    expect(found.filter(({ dates }) => dates.includes(date))).toContainEqual(
      expect.objectContaining({ name, isFixed, isApproximate }),
    );
  });

  test('an afternoon is no free day, but begins on one', async () => {
    const eve = (await holidays.of({ country: 'DE' }, 2026)).find(({ begins }) => begins === '2026-12-24');
    expect(eve).toMatchObject({ name: 'Christmas Eve', dates: [] });
  });

  test('regions are those with holidays of their own', async () => {
    const german = (await holidays.regionsOf('DE')) ?? [];
    expect(german).toContainEqual({ country: 'DE', state: 'BY' });
    expect(german).toContainEqual({ country: 'DE', state: 'BY', region: 'A' });
    expect(await holidays.regionsOf('DK')).toEqual([]);
    expect(await holidays.regionsOf('AQ')).toBeNull();
    const peace = await holidays.of({ country: 'DE', state: 'BY', region: 'A' }, 2026);
    expect(peace.some(({ dates }) => dates.includes('2026-08-08'))).toBe(true);
  });

  test.each([
    ['AQ', 2026],
    ['ZZ', 2026],
    ['DE', 1969],
    ['DE', 2101],
  ])('%s has none in %d', async (country, year) => expect(await holidays.of({ country }, year)).toEqual([]));

  test('are computed once; of hundreds of regions and years those asked for lately are kept', async () => {
    const own = openHolidays();
    const [first, again] = await Promise.all([own.of({ country: 'AQ' }, 1970), own.of({ country: 'AQ' }, 1970)]);
    expect(again).toBe(first);
    for (let year = 1970; year < 2100; year += 1)
      await Promise.all(['AQ', 'BV', 'HM', 'TF'].map((country) => own.of({ country }, year)));
    const later = await own.of({ country: 'AQ' }, 1970);
    expect([later, later === first]).toEqual([[], false]);
  });
});
