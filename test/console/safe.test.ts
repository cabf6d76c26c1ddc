import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ROLE_PERMISSIONS } from '#domain/access/permissions.ts';
import { consoleOfTests, expectNoReports, goWithin, PASSWORD } from './kit/open-console.ts';

/** Texts of senders stay texts; tenants and roles see only their own data. */

const it = consoleOfTests();

const BAD = '<img src=x onerror="window.hasRun=1">';
const WORSE = '"><script>window.hasRun=1</script>';
const LINK = 'javascript:window.hasRun=1';

/** Returns effects of the texts if one of them had been interpreted as markup. */
const foundIn = (page: Page) =>
  page.evaluate(() => ({
    hasRun: 'hasRun' in window,
    images: document.querySelectorAll('img[src="x"]').length,
    scripts: document.querySelectorAll('script:not([src])').length,
    links: [...document.querySelectorAll('a[href]')].filter((link) =>
      /^\s*(?!https?:)[a-z]+:/i.test((link as HTMLAnchorElement).href),
    ).length,
    handlers: document.querySelectorAll('[onerror],[onclick],[onload]').length,
  }));
const NOTHING = { hasRun: false, images: 0, scripts: 0, links: 0, handlers: 0 };

describe('texts of senders', () => {
  let ci = '';
  let group = '';
  beforeAll(async () => {
    const { data } = await it.ask('POST', '/api/cmdb/ci', { name: BAD, type: 'server', description: WORSE });
    ci = data._id;
    const event = { severity: 'critical', title: `Down ${BAD}`, description: WORSE, tags: [BAD], service: BAD };
    const details = { runbook: LINK, graph: 'https://graphs.example/1', [BAD]: WORSE };
    for (const n of [1, 2]) {
      const given = { ...event, source: 'src', sourceId: `${BAD}${n}`, hostname: BAD, details };
      await it.ask('POST', '/api/events/ingest', { ...given, title: `${event.title} ${'ab'.repeat(n)}` });
    }
    await it.app.idle();
    const { groups } = await it.ask('GET', '/api/events/groups');
    group = groups[0].correlationId;
    await it.ask('POST', `/api/events/groups/${group}/notes`, { text: BAD });
    await it.ask('POST', '/api/admin/users', {
      username: 'odd',
      password: 'a long enough password',
      name: BAD,
      role: 'viewer',
    });
    await it.ask('POST', '/api/admin/tokens', { name: BAD, scopes: ['events.webhook'] });
  });

  test('are shown as they are, and nothing of them becomes an element, a link or a script', async () => {
    const { events } = await it.ask('GET', '/api/events?limit=1');
    const page = await it.signedIn('groups');
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
    const pages = [
      ['groups', heading('Groups')],
      [`groups/${group}`, heading(/^Down/)],
      ['events', heading('Events')],
      [`events?event=${events[0].eventId}`, page.getByRole('complementary', { name: 'Event details' })],
      ['cis', heading('CIs')],
      [`cis/${ci}`, heading(BAD)],
      [`topology?ci=${ci}`, heading('Topology')],
      ['admin/users', heading('Users')],
      ['admin/tokens', heading('Tokens')],
      ['admin/audit', heading('Audit')],
    ] as const;
    for (const [path, mark] of pages) {
      await goWithin(page, path);
      await mark.waitFor();
      await page.getByText(BAD).first().waitFor({ state: 'attached' });
      expect({ path, ...(await foundIn(page)) }).toEqual({ path, ...NOTHING });
    }
    await it.leave(page);
  });

  test('in every tab of a group, beside an event, in the palette and in what the assistant says', async () => {
    const page = await it.signedIn(`groups/${group}`);
    const parts = page.getByRole('group', { name: 'Group sections' });
    for (const name of ['Why grouped', 'Why not grouped', 'Notes', 'Timeline', 'Review', 'Raw', 'Events']) {
      await parts.getByRole('button', { name }).click();
      expect({ name, ...(await foundIn(page)) }).toEqual({ name, ...NOTHING });
    }
    await page.goto(`${it.url}/ui/events?source=src`);
    await page.getByRole('row', { name: /Down/ }).first().click();
    const beside = page.getByRole('complementary', { name: 'Event details' });
    await beside.getByText('Raw', { exact: true }).click();
    await beside.getByText(LINK).waitFor();
    await beside.getByRole('link', { name: 'https://graphs.example/1' }).waitFor();
    expect(await beside.getByRole('link', { name: /javascript/ }).count()).toBe(0);
    expect(await foundIn(page)).toEqual(NOTHING);
    await page.getByRole('button', { name: /^Search or go to/ }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Down');
    await page.getByRole('dialog').getByText(BAD).first().waitFor();
    expect(await foundIn(page)).toEqual(NOTHING);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+j');
    const drawer = page.getByRole('complementary', { name: 'Assistant' });
    await drawer.getByRole('textbox', { name: 'Question' }).fill(`Which critical events are open? ${WORSE}`);
    await page.keyboard.press('Enter');
    await drawer.getByText(/Rule-based answer/).waitFor();
    expect(await foundIn(page)).toEqual(NOTHING);
    await it.leave(page);
  });
});

test('the page itself has no script, style or handler of its own', async () => {
  const text = await (await fetch(`${it.url}/ui/groups`)).text();
  expect(text).toContain('<script type="module"');
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|<style[^>]*>[^<]/i);
});

describe('two tenants in one browser', () => {
  const people = [
    { tenant: 'north', username: 'ann', title: 'Fan of the north failed' },
    { tenant: 'south', username: 'bob', title: 'Fan of the south failed' },
  ] as const;
  const password = 'a long enough password';
  const inTenant = (tenant: string, path: string, body: unknown) =>
    it.ask('POST', path, body, { 'x-tenant-id': tenant });

  beforeAll(async () => {
    for (const { tenant, username, title } of people) {
      await it.ask('POST', '/api/admin/tenants', { id: tenant, name: tenant });
      await inTenant(tenant, '/api/admin/users', { username, password, name: username, role: 'editor' });
      await inTenant(tenant, '/api/cmdb/ci', { name: `fan-of-${tenant}`, type: 'server' });
      const event = { source: tenant, sourceId: '1', severity: 'critical', title, hostname: `fan-of-${tenant}` };
      await inTenant(tenant, '/api/events/ingest', event);
    }
    await it.app.idle();
  });

  test('one after the other see their own alone, live too', async () => {
    await it.context.clearCookies();
    const [north, south] = people;
    const page = await it.signedIn('events', { ...north, password });
    const other = north.title.replace('north', 'south');
    await page.getByText(north.title).first().waitFor();
    await page.getByRole('link', { name: 'CIs' }).click();
    await page.getByRole('link', { name: 'fan-of-north' }).waitFor();
    expect(await page.content()).not.toMatch(/south/);
    await page.getByRole('button', { name: north.username }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Username' }).waitFor();
    expect(await page.content()).not.toMatch(/north/);

    const next = await it.signedIn('events', { ...south, password });
    await next.getByText(other).first().waitFor();
    await next.locator('[role=status][data-kind=live]').waitFor();
    const events = Array.from({ length: 300 }, (_, n) => ({
      sourceId: `n${n}`,
      severity: 'minor',
      title: `Fan ${n} of the north`,
      hostname: `h${n}`,
    }));
    await inTenant('north', '/api/events/bulk-ingest', { source: 'north', events });
    await inTenant('south', '/api/events/ingest', {
      source: 'south',
      sourceId: '2',
      severity: 'major',
      title: 'Second of the south',
      hostname: 'b',
    });
    await next
      .getByText(/^1 new$|^Second of the south$/)
      .first()
      .waitFor();
    for (const shown of [page, next]) expect(await shown.content()).not.toMatch(/north/);
    await it.leave(page);
    await it.leave(next);
    await it.context.clearCookies();
  });
});

describe('roles', () => {
  const ADMIN = { username: 'admin', password: PASSWORD };
  const PAGES = [
    ['groups', 'Groups', 'events.read'],
    ['groups/COR-1', null, 'events.read'],
    ['events', 'Events', 'events.read'],
    ['noc', null, 'events.read'],
    ['topology', 'Topology', 'cmdb.read'],
    ['cis', 'CIs', 'cmdb.read'],
    ['cis/1', null, 'cmdb.read'],
    ['services', 'Services', 'services.read'],
    ['services/1', null, 'services.read'],
    ['reports', 'Reports', 'reports.read'],
    ['tuning', 'Tuning', 'settings.read'],
    ['discovery', 'Discovery', 'discovery.read'],
    ['import', 'Import', 'cmdb.write'],
    ['sources', 'Sources', 'tokens.manage'],
    ['sources/prometheus', null, 'tokens.manage'],
    ['pipeline', 'Pipeline', 'pipeline.read'],
    ['admin/users', null, 'users.manage'],
    ['admin/teams', null, 'users.manage'],
    ['admin/tokens', null, 'tokens.manage'],
    ['admin/webhooks', null, 'webhooks.manage'],
    ['admin/webhooks/WHK-1', null, 'webhooks.manage'],
    ['admin/ai', null, 'settings.read'],
    ['admin/limits', null, 'settings.read'],
    ['admin/audit', null, 'audit.read'],
    ['admin/tenants', null, 'tenants.manage'],
  ] as const;

  /** Administrators by name, where the person may read the names of others. */
  const helpOf = (role: string, needs: string): RegExp => {
    if (needs === 'tenants.manage') return /Only platform administrators have this permission/;
    return role === 'ingest' ? /Ask an administrator of default/ : /Ask Administrator\b.* for a different role/;
  };

  test.each(['viewer', 'operator', 'editor', 'admin', 'ingest', 'platform-admin'] as const)(
    '%s sees what it may, and is told what is missing',
    async (role) => {
      await it.context.clearCookies();
      // The first user is the only one that manages tenants.
      const isFirst = role === 'platform-admin';
      const user = isFirst ? ADMIN : { username: `u-${role}`, password: 'a long enough password' };
      if (!isFirst) await it.ask('POST', '/api/admin/users', { ...user, name: role, role });
      const page = await it.signedIn('me', user);
      await page.getByText(user.username).first().waitFor();
      const permissions: ReadonlySet<string> = new Set(ROLE_PERMISSIONS[role]);
      const shown = await page
        .getByRole('navigation', { name: 'Main navigation' })
        .first()
        .getByRole('link')
        .allInnerTexts();
      const named = PAGES.flatMap(([, words, needs]) => (words === null ? [] : [{ words, needs }]));
      expect(shown.filter((words) => named.some((one) => one.words === words))).toEqual(
        named.filter(({ needs }) => permissions.has(needs)).map(({ words }) => words),
      );
      for (const [path, , needs] of PAGES.filter(([, , one]) => !permissions.has(one))) {
        await goWithin(page, path);
        await page.getByText(`This page requires the ${needs} permission`).waitFor();
        await page.getByText(`Your role is ${role}`).waitFor();
        await page.getByText(helpOf(role, needs)).waitFor();
      }
      const [last] = PAGES.filter(([, , one]) => permissions.has(one)).slice(-1);
      if (last !== undefined) {
        await goWithin(page, last[0]);
        await page.getByText(/^This page requires/).waitFor({ state: 'detached' });
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.getByText(/^This page requires/).count()).toBe(0);
      }
      await it.leave(page);
      await it.context.clearCookies();
    },
  );
});

expectNoReports(it);
