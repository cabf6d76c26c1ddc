import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, goWithin } from './kit/open-console.ts';
import { routesOfConsole } from './kit/routes.ts';

const it = consoleOfTests({ env: { FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' } });
let page: Page | undefined;
/** Ids in addresses, by route. */
const ids = new Map<string, string>([['sources/$name', 'prometheus']]);
beforeAll(async () => {
  const { ask } = it;
  const now = it.app.ports.clock.now();
  await furnishInfrastructure(it, now);
  const { data } = await ask('GET', '/api/cmdb/ci?limit=2');
  const [source, target] = data.map(({ _id }: { _id: string }) => _id);
  await ask('POST', '/api/cmdb/ai-relationships', { source, target, type: 'connects_to', confidence: 0.8 });
  const silence = { matcher: { ciId: source }, endsAt: new Date(now + 3_600_000).toISOString(), reason: 'New disks' };
  await ask('POST', '/api/events/silences', silence);
  const shop = await ask('POST', '/v1/services', { name: 'Shop', components: [{ ci_id: source }, { ci_id: target }] });
  const hook = await ask('POST', '/api/webhooks', { name: 'Mail', url: 'http://127.0.0.1:9/x', events: ['*'] });
  await ask('POST', '/v1/teams', { name: 'Night' });
  await ask('PUT', '/api/cmdb/sources/prod', { kind: 'prometheus', url: 'http://127.0.0.1:9', paused: true });
  const alerts = [{ alert: 'Shop*Down', problem: 'down' }];
  const checks = [{ source: 'curl', problem: 'response time above <n> s', severity: 'info' }];
  await ask('PUT', '/api/admin/settings/inbound', { alerts, checks });
  const fields = { key: '$.id', title: '$.name', state: '$.state', severity: '$.state' };
  await ask('PUT', '/api/admin/sources/uptime/mapping', { title: 'Uptime', fields, severities: { down: 'critical' } });
  const { groups } = await ask('GET', '/api/events/groups');
  ids.set('groups/$id', groups[0].correlationId);
  ids.set('cis/$id', source);
  ids.set('services/$id', shop.id);
  ids.set('admin/webhooks/$id', hook.data.id);
  ids.set('topology-sources/$name', 'prod');
  ids.set('sources/$name/mapping', 'uptime');
});

test('the entrance keeps WCAG 2.2 AA in both themes', async () => {
  const entrance = await it.tab();
  await entrance.getByRole('textbox', { name: 'Username' }).waitFor();
  expect(await violationsInThemes(entrance)).toEqual([]);
  await entrance.close();
});

/** Other states of pages. */
const STATES = [
  'discovery?tab=reviews',
  'discovery?tab=hosts',
  'tuning?view=quality',
  'silences?tab=calendar',
  'groups?state=resolved',
];

test.each([...routesOfConsole(), ...STATES])(
  '%s keeps WCAG 2.2 AA in both themes, and needs no sideways scrolling at 320 px',
  async (route) => {
    page ??= await it.signedIn();
    // The first page is there before one goes on.
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const path = route.replace(/\$\w+/, () => ids.get(route) ?? 'no id of this route');
    await goWithin(page, path);
    await page.waitForURL((url) => url.href.includes(path.split('?')[0]!));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect(await page.getByText(/^(Not found|Page not found|Couldn't load)/).count()).toBe(0);
    expect(await hindrancesOn(page)).toEqual([]);
  },
);
