import { afterEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { consoleOfTests, PASSWORD, signIn } from './kit/open-console.ts';

const it = consoleOfTests();
afterEach(async () => {
  await it.context.clearCookies();
  for (const page of it.context.pages() ?? []) await page.close();
});

const entrance = (page: Page) => page.getByRole('heading', { name: 'Faultline' });
const inside = (page: Page) => page.getByRole('button', { name: /^Search or go to/ });

/** Everything that outlives a page or that others may read. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const kept = { ...localStorage, ...sessionStorage };
    return JSON.stringify([
      kept,
      document.cookie,
      location.href,
      history.state,
      document.documentElement.outerHTML,
      databases,
    ]);
  });

test('a password opens the console; its tokens are in no storage, address or element, and in no cookie that scripts see', async () => {
  const tokens: string[] = [];
  const logged: string[] = [];
  const page = await it.tab('groups?severity=critical');
  page.on('console', (message) => logged.push(message.text()));
  page.on('request', (request) => {
    const token = /^Bearer (.+)$/.exec(request.headers().authorization ?? '')?.[1];
    if (token !== undefined) tokens.push(token);
  });
  await signIn(page);
  expect(new URL(page.url()).search).toBe('?severity=critical');
  await page.getByText('Live', { exact: true }).waitFor();
  const cookies = await it.context.cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 }]);
  expect(tokens.length).toBeGreaterThan(1);
  const open = (await keptBy(page)) + logged.join();
  for (const secret of [...tokens, cookies[0]!.value, PASSWORD]) expect(open).not.toContain(secret);
});

test('a wrong password says so, and the next try goes through', async () => {
  const page = await it.tab();
  await page.getByRole('textbox', { name: 'Username' }).fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('Incorrect username, password or tenant').waitFor();
  await signIn(page);
  await inside(page).waitFor();
});

test('a page that is opened again, and another tab, are signed in by the cookie', async () => {
  const page = await it.signedIn('groups');
  await page.reload();
  await inside(page).waitFor();
  const other = await it.tab('events');
  await inside(other).waitFor();
});

test('kept for 30 days when asked for', async () => {
  const page = await it.tab();
  await page.getByLabel('Keep me signed in').check();
  await signIn(page);
  const [cookie] = await it.context.cookies();
  const days = (cookie!.expires - it.app.ports.clock.now() / 1_000) / 86_400;
  expect(Math.round(days)).toBe(30);
});

test('signing out ends all tabs', async () => {
  const pages = [await it.signedIn('groups'), await it.signedIn('events'), await it.signedIn('groups')];
  const [first, ...others] = pages as [Page, ...Page[]];
  await first.getByRole('button', { name: 'Administrator' }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  await entrance(first).waitFor();
  // The delay is tested in `live.test.ts`.
  await Promise.all(others.map((page) => entrance(page).waitFor()));
  expect(await it.context.cookies()).toEqual([]);
  await first.reload();
  await entrance(first).waitFor();
});

describe('a login that ends elsewhere', () => {
  test('leaves the page under a dialog, and goes on after signing in again', async () => {
    const ann = { username: 'ann', password: 'a long enough password' };
    const { data } = await it.ask('POST', '/api/admin/users', { ...ann, name: 'Ann', role: 'operator' });
    const page = await it.signedIn('groups', ann);
    await page.getByPlaceholder('Search groups and events').fill('link');
    await it.ask('PUT', `/api/admin/users/${data.id}`, { password: 'another long password' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Username' }).waitFor();
    await signIn(page, { username: 'ann', password: 'another long password' });
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByPlaceholder('Search groups and events').inputValue()).toBe('link');
  });

  test('lies above a dialog that is open, which keeps what was typed', async () => {
    const bea = { username: 'bea', password: 'a long enough password' };
    const { data } = await it.ask('POST', '/api/admin/users', { ...bea, name: 'Bea', role: 'admin' });
    const page = await it.signedIn('admin/teams', bea);
    await page.getByRole('button', { name: 'Create team' }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Night shift');
    await it.ask('PUT', `/api/admin/users/${data.id}`, { password: 'another long password' });
    const user = page.getByRole('textbox', { name: 'Username' });
    await user.waitFor();
    await page.keyboard.press('Escape');
    await user.click();
    await signIn(page, { username: 'bea', password: 'another long password' });
    expect(await name.inputValue()).toBe('Night shift');
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'detached' });
  });
});

test('the link of the first start opens the console once, and its code leaves the address', async () => {
  const links: string[] = [];
  const config = readConfig({ PORT: '0', FAULTLINE_DATA: ':memory:', FAULTLINE_LOG_LEVEL: 'silent' });
  const fresh = await start(config, { tellPassword: (_, link) => void links.push(link!), checkReplies: true });
  const page = await it.context.newPage();
  await page.goto(links[0]!);
  await inside(page).waitFor();
  expect(page.url()).not.toContain('code');
  // Tabs share a sign-in, so it ends with its cookie.
  await page.close();
  await it.context.clearCookies();
  const again = await it.context.newPage();
  await again.goto(links[0]!);
  await entrance(again).waitFor();
  await again.close();
  await fresh.stop();
});

test('nothing was blocked by the policy, and no script has failed', () => {
  expect(it.reports).toEqual({ policy: [], errors: [] });
});
