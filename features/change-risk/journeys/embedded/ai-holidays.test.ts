import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const PATH = '/api/ai/holiday-generator';
const ask = (body: unknown) => app.send('POST', PATH, body);
const on = (holidays: readonly { readonly date: string }[], date: string) =>
  holidays.filter((one) => one.date === date);

test('the holidays of a year, each fixed or floating', async () => {
  const { status, body } = await ask({ country: 'Germany', year: 2026 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    country: 'Germany',
    countryCode: 'DE',
    year: 2026,
    generatedBy: 'rules',
  });
  expect(body.claims[0].text).toBe('Germany has 9 days of public holidays in 2026.');
  expect(body.citations).toMatchObject([{ ref: 'D1', label: 'date-holidays, CC BY-SA 3.0' }]);
  expect(on(body.holidays, '2026-12-25')).toEqual([
    {
      date: '2026-12-25',
      name: 'Christmas Day',
      type: 'fixed',
      isPublicHoliday: true,
      kind: 'public',
      substitute: false,
      approximate: false,
      regions: [],
    },
  ]);
  expect(on(body.holidays, '2026-04-06')).toMatchObject([{ name: 'Easter Monday', type: 'floating' }]);
  expect(on(body.holidays, '2026-12-24')).toMatchObject([{ name: 'Christmas Eve', isPublicHoliday: false }]);
  expect(on(body.holidays, '2026-01-06')).toEqual([]);
});

test('those of regions, of calendars that follow the moon, and days that stand for others', async () => {
  const german = (await ask({ country: 'DEU', year: 2026, includeRegional: true })).body;
  expect(on(german.holidays, '2026-01-06')).toMatchObject([{ regions: ['DE-BW', 'DE-BY', 'DE-ST'] }]);
  const turkish = (await ask({ country: 'TR', year: 2026 })).body;
  expect(on(turkish.holidays, '2026-03-20')).toMatchObject([{ type: 'floating', approximate: true }]);
  const american = (await ask({ country: 'US', year: 2026 })).body;
  expect(on(american.holidays, '2026-07-03')).toMatchObject([{ substitute: true, isPublicHoliday: true }]);
});

test.each([
  [{ country: 'Atlantis', year: 2026 }, 'country'],
  [{ country: 'AQ', year: 2026 }, 'country'],
  [{ country: 7, year: 2026 }, 'country'],
  [{ year: 2026 }, 'country'],
  [{ country: 'DE', year: 1969 }, 'year'],
  [{ country: 'DE', year: 2101 }, 'year'],
  [{ country: 'DE', year: '2026' }, 'year'],
  [{ country: 'DE', year: 2026.5 }, 'year'],
  [{ country: 'DE' }, 'year'],
  [{ country: 'DE', year: 2026, includeRegional: 'yes' }, 'includeRegional'],
  [{ country: 'DE', year: 2026, month: 1 }, 'month'],
])('%j is refused', async (body, field) => {
  const { status, body: reply } = await ask(body);
  expect([status, reply.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(JSON.stringify(reply.error)).toContain(field);
});

test.each([1970, 2100])('%d is within', async (year) => {
  expect((await ask({ country: 'GB', year })).status).toBe(200);
});
