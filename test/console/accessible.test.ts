import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { violationsInThemes } from './kit/axe.ts';
import { furnishEstate } from './kit/estate.ts';
import { hindrancesOn } from './kit/fit.ts';
import { openConsole, type TestConsole } from './kit/open-console.ts';

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
beforeAll(async () => {
  it = await openConsole();
  if (it !== null) await furnishEstate(it, it.app.ports.clock.now());
});
afterAll(() => it?.close());

test('the entrance keeps WCAG 2.2 AA in both themes', async () => {
  if (it === null) return;
  const page = await it.tab();
  await page.getByRole('textbox', { name: 'User name' }).waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await page.close();
});

/** Address below `ui/`, and a text that says that its data is there; other pages are looked at where they are worked with. */
const PAGES = [
  ['groups', 'Switch link down'],
  ['events', 'PostgreSQL unreachable'],
  ['cis', 'db-1'],
  ['topology', 'Which CI should the map begin with?'],
  ['services', 'No service is known yet'],
  ['import', 'What the columns mean'],
  ['discovery', 'No scan has arrived yet'],
  ['tuning', 'Score that joins'],
] as const;

test.each(PAGES)(
  '%s keeps WCAG 2.2 AA in both themes, and needs no sideways scrolling at 390 px',
  async (path, text) => {
    if (it === null) return;
    const page = await it.signedIn(path);
    await page.getByText(text).first().waitFor();
    expect(await hindrancesOn(page)).toEqual([]);
    await page.close();
  },
);
