import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { START } from '#test/setup/test-app.ts';
import { furnishEstate } from './kit/estate.ts';
import { openConsole, type TestConsole } from './kit/open-console.ts';
import { differenceFrom } from './kit/pictures.ts';

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
beforeAll(async () => {
  it = await openConsole({ at: START });
  if (it !== null) await furnishEstate(it, START);
});
afterAll(() => it?.close());

test('the entrance looks as it did', async () => {
  if (it === null) return;
  const page = await it.tab();
  await page.getByRole('textbox', { name: 'User name' }).waitFor();
  expect(await differenceFrom(page, 'entrance')).toBe(0);
  await page.close();
});

test.each([
  ['groups', 'Switch link down'],
  ['events', 'PostgreSQL unreachable'],
])('%s looks as it did', async (path, text) => {
  if (it === null) return;
  const page = await it.signedIn(path);
  await page.getByText(text).first().waitFor();
  await page.locator('[role=status][data-kind=live]').waitFor();
  expect(await differenceFrom(page, path)).toBe(0);
  await page.close();
});
