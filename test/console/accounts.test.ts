import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type MailServer, openMailServer } from '#test/setup/mail-server.ts';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { consoleOfTests, PASSWORD, signIn } from './kit/open-console.ts';

const FIRST = 'a long enough password';
const NEXT = 'another long password';

let server: MailServer;
beforeAll(async () => {
  server = await openMailServer();
});
const it = consoleOfTests(() => ({
  env: { FAULTLINE_SMTP_URL: server.url, FAULTLINE_PUBLIC_URL: 'https://faultline.example.com' },
}));
afterAll(() => server.close());

const codeIn = (text: string): string => /#link=3?D?(\w{40})/.exec(text.replaceAll('=\n', ''))?.[1] ?? '';
const inside = (page: Page) => page.getByRole('button', { name: /^Search or go to/ });
/** A tab of a browser without a session, at the address of a link. */
const visitor = async (path: string): Promise<Page> => {
  const context = await it.browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${it.url}/ui/${path}`);
  return page;
};
const setPassword = async (page: Page, password: string, again = password): Promise<void> => {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(again);
  await page.getByRole('button', { name: 'Set password' }).click();
};

test('an invited user sets the password with the link, which works once and does not stay in the address', async () => {
  server.refuse();
  const page = await it.signedIn('admin/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ann@example.com');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Ann');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Invitation link' });
  const code = codeIn((await shown.locator('code').textContent()) ?? '');
  expect(await violationsInThemes(page)).toEqual([]);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Ann.*ann@example\.com.*Invited until/ }).waitFor();

  const guest = await visitor(`password#link=${code}`);
  await guest.getByRole('textbox', { name: 'New password', exact: true }).waitFor();
  expect(guest.url()).not.toContain(code);
  expect(await violationsInThemes(guest)).toEqual([]);
  await setPassword(guest, FIRST, NEXT);
  await guest.getByText("Passwords don't match").waitFor();
  await setPassword(guest, FIRST);
  await inside(guest).waitFor();
  const late = await visitor(`password#link=${code}`);
  await setPassword(late, NEXT);
  await late.getByRole('alert').getByText('expired or was already used').waitFor();
  for (const one of [guest, late]) await one.context().close();
  await page.reload();
  await page.getByRole('row', { name: /Ann.*Active/ }).waitFor();
  await it.leave(page);
});

test('a user changes the address, and resets a forgotten password by email', async () => {
  const page = await it.signedIn('me');
  const form = page.getByRole('form', { name: 'Change email' });
  await form.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
  await form.getByRole('textbox', { name: 'Current password' }).fill('wrong');
  await form.getByRole('button', { name: 'Change email' }).click();
  await form.getByText('does not match the current password').waitFor();
  await form.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Change email' }).click();
  await page.getByText('Email address changed').waitFor();

  server.accept();
  const guest = await visitor('');
  await guest.getByRole('button', { name: 'Forgot password?' }).click();
  await guest.getByRole('textbox', { name: 'Username or email' }).fill('ADMIN@example.com');
  await guest.getByRole('button', { name: 'Send reset link' }).click();
  await guest.getByText('a link is on its way').waitFor();
  await until(async () => server.mails.length > 0);
  const reset = await visitor(`password#link=${codeIn(server.mails.at(-1)?.text ?? '')}`);
  await setPassword(reset, NEXT);
  await inside(reset).waitFor();
  await guest.getByRole('button', { name: 'Back to sign-in' }).click();
  await signIn(guest, { username: 'admin', password: NEXT });
  await inside(guest).waitFor();
  for (const one of [guest, reset]) await one.context().close();
  await page.context().clearCookies();
});
