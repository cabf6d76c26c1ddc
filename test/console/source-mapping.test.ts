import { expect, test } from '@jest/globals';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests } from './kit/open-console.ts';

const it = consoleOfTests();

test('a mapping is tried on a sample, saved, and reads what is posted', async () => {
  const page = await it.signedIn('sources');
  await page.getByRole('link', { name: 'Add custom source' }).click();
  await page.getByRole('button', { name: 'Run test' }).click();
  const table = page.getByRole('table', { name: 'Sample events' });
  await table.getByText('Website is DOWN').waitFor();
  expect(await table.textContent()).toContain('critical');
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByLabel('Name').fill('site24x7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Site24x7', level: 1 }).waitFor();
  const { results } = await it.ask('POST', '/api/events/webhook/site24x7', { MONITOR_ID: 7, STATUS: 'DOWN' });
  expect(results).toMatchObject([{ status: 'created', sourceId: '7' }]);
  await page.getByRole('link', { name: 'Mapping' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor();
  expect(await page.getByRole('table', { name: 'Connected sources' }).textContent()).not.toContain('Site24x7');
});
