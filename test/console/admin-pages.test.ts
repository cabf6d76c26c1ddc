import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, NARROW, signIn, WIDE } from './kit/open-console.ts';

const SECRET = 'a long enough password';
const AI = '/api/admin/settings/ai';

const it = consoleOfTests({ env: { FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' } });
let page: Page;
/** A receiver of webhooks: its requests, and its answers. */
let receiver: Server;
let answer = 204;
const got: { readonly event: string; readonly signature: string }[] = [];

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let text = '';
    request.on('data', (piece) => (text += piece));
    request.on('end', () => {
      got.push({ event: JSON.parse(text).event, signature: String(request.headers['webhook-signature']) });
      reply.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  page = await it.signedIn('admin/users');
}, 60_000);
afterEach(async () => {
  if ((await dialog().count()) > 0) await page.keyboard.press('Escape');
});
afterAll(() => void receiver.close());

const dialog = () => page.getByRole('dialog');
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const confirm = async (name: string): Promise<void> => {
  await dialog().getByRole('button', { name, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
};
const write = (name: string, text: string) => dialog().getByRole('textbox', { name, exact: true }).fill(text);
const choose = async (of: string, option: string | RegExp): Promise<void> => {
  await dialog().getByRole('combobox', { name: of, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};
const open = async (words: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: words }).click();
  await page.getByRole('heading', { level: 1, name: words }).waitFor();
};
/** A tab of another user, in a browser of their own. */
const asOther = async (path: string, username: string, tenant?: string): Promise<Page> => {
  const context = await it.browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  const other = await context.newPage();
  await other.goto(`${it.url}/ui/${path}`);
  await signIn(other, { username, password: SECRET, ...(tenant !== undefined && { tenant }) });
  return other;
};

describe('users, teams and tokens', () => {
  test('what the server refuses stands beside its field, and nothing that was typed is lost', async () => {
    await press('Add user');
    await write('Username', 'no blanks');
    await write('Password', 'short');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().getByText('must have at least 12 characters', { exact: true }).waitFor();
    // Fields are named as the form names them.
    await dialog()
      .getByText(/^Username: .+; Password: must have at least 12 characters/)
      .waitFor();
    const name = dialog().getByRole('textbox', { name: 'Username' });
    expect([await name.getAttribute('aria-invalid'), await name.inputValue()]).toEqual(['true', 'no blanks']);
    await write('Username', 'ann');
    await write('Name', 'Ann');
    await write('Password', SECRET);
    await choose('Role', /^viewer/);
    await confirm('Add');
    await page.getByRole('row', { name: /^Ann/ }).waitFor();
    const { data } = await it.ask('GET', '/api/admin/users');
    expect(data.find(({ username }: { username: string }) => username === 'ann')).toMatchObject({ role: 'viewer' });
  });

  test('a team has members, and is given a group', async () => {
    await open('Teams');
    await page.getByText('No teams yet').waitFor();
    await press('Create team');
    await write('Name', 'Night shift');
    await choose('Members', 'Ann');
    // Its list stays open for more.
    await page.keyboard.press('Tab');
    await confirm('Create');
    await page.getByRole('row', { name: /^Night shift Ann/ }).waitFor();
    await open('Users');
    await page.getByRole('row', { name: /^Ann.* viewer Night shift/ }).waitFor();

    await furnishInfrastructure(it, it.app.ports.clock.now());
    const { groups } = await it.ask('GET', '/api/events/groups');
    const tab = await it.signedIn(`groups/${groups[0].correlationId}`);
    await tab.getByRole('button', { name: 'Assign…' }).click();
    await tab.getByRole('option', { name: 'Night shift team' }).click();
    await tab.getByText('Assigned to Night shift').first().waitFor();
    const after = await it.ask('GET', `/api/events/groups/${groups[0].correlationId}`);
    expect(after.group.assignedTeam).toMatchObject({ name: 'Night shift' });
    await it.leave(tab);
  });

  test('a token is shown once, works, and is refused as soon as it is revoked', async () => {
    await open('Tokens');
    await press('Create token');
    await write('Name', 'script');
    await choose('Permissions', /^Role viewer/);
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    const token = await dialog().locator('code').textContent();
    const status = async () =>
      (await fetch(`${it.url}/api/events`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await confirm('Done');
    expect(await page.content()).not.toContain(token);
    await press('Revoke script');
    await confirm('Revoke');
    await page.getByText('Revoked script').waitFor();
    expect(await status()).toBe(401);
    await page.getByRole('row', { name: /^script/ }).waitFor({ state: 'detached' });
  });

  test('a right that is lost meanwhile is said in the dialog', async () => {
    const bob = { username: 'bob', name: 'Bob', password: SECRET, role: 'admin' };
    const { data } = await it.ask('POST', '/api/admin/users', bob);
    const other = await asOther('admin/teams', 'bob');
    await other.getByRole('button', { name: 'Create team' }).click();
    await other.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Days');
    await it.ask('PUT', `/api/admin/users/${data.id}`, { role: 'viewer' });
    await other.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await other.getByRole('dialog').getByRole('alert').getByText('users.manage').waitFor();
    expect(await other.getByRole('dialog').getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Days');
    await other.context().close();
  });

  test('who may not is shown neither the way nor the page, and who may look cannot change', async () => {
    const other = await asOther('admin', 'ann');
    await other.getByRole('heading', { level: 1, name: 'AI' }).waitFor();
    const ways = other.getByRole('navigation', { name: 'Administration' }).getByRole('link');
    expect(await ways.allInnerTexts()).toEqual(['AI', 'Limits']);
    await other.getByText('Editing requires the settings.manage permission').waitFor();
    expect(await other.getByRole('textbox', { name: 'Daily token limit, at most' }).isDisabled()).toBe(true);
    await other.goto(`${it.url}/ui/admin/webhooks`);
    await other.getByText('This page requires the webhooks.manage permission').waitFor();
    await other.context().close();
  });
});

describe('webhooks', () => {
  const delivery = (state: string) => page.getByRole('row', { name: new RegExp(`Test Chat ${state}`) });

  test('one is made, and what became of a test is seen', async () => {
    await open('Webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await press('Create webhook');
    await write('Name', 'Chat');
    await write('URL', 'http://192.168.0.1/hook');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().getByText('expected a public address or one in FAULTLINE_OUTBOUND_ALLOW', { exact: true }).waitFor();
    await write('URL', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    expect(await dialog().locator('code').textContent()).toMatch(/^whsec_/);
    await confirm('Done');
    await page.getByRole('link', { name: 'Chat' }).click();
    await press('Send test');
    await delivery('Delivered 204').waitFor();
    expect(got).toMatchObject([{ event: 'webhook.test', signature: expect.stringMatching(/^v1,/) }]);
    await press('Show Test');
    await dialog().getByText('webhook.test').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('what was given up is sent again', async () => {
    answer = 410;
    await press('Redeliver : Test');
    await delivery('Failed status 410').waitFor();
    await page.getByText('Disabled: receiver returned HTTP 410').waitFor();
    answer = 204;
    await press('Enable');
    const before = got.length;
    await press('Failed');
    await press('Redeliver all');
    await confirm('Redeliver');
    await page.getByText('Redelivering 1 delivery').waitFor();
    await until(async () => got.length > before);
    await press('All');
    await delivery('Delivered 204').waitFor();
  });

  test('two people who change it at once both see what the other wants', async () => {
    const { data } = await it.ask('GET', '/api/webhooks');
    const [{ id, url }] = data;
    const path = `/api/webhooks/${id}`;
    await press('Edit');
    await write('Name', 'Chat of the shift');
    await dialog()
      .getByRole('row', { name: /^Name .+ Chat of the shift$/ })
      .waitFor();
    const theirs = { name: 'Chat of all', url, events: ['event.created'], active: true };
    await it.ask('PUT', path, theirs);
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByText('Events: currently Event created').waitFor();
    await dialog().getByText('Theirs: Chat of all').waitFor();
    expect((await it.ask('GET', path)).data).toMatchObject(theirs);
    await confirm('Save');
    expect((await it.ask('GET', path)).data).toMatchObject({ ...theirs, name: 'Chat of the shift' });
    await page.getByRole('heading', { level: 1, name: 'Chat of the shift' }).waitFor();
  });

  test('it gets a secret for replies, which is never shown again', async () => {
    const secret = 'signing-secret-of-the-app';
    await press('Edit');
    await dialog().getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    await dialog().getByLabel('Reply secret').fill('short');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog()
      .getByText(/^expected 16 to 256 printable ASCII/)
      .waitFor();
    await dialog().getByLabel('Reply secret').fill(secret);
    await confirm('Save');
    await page.getByText(/^\/api\/webhooks\/WHK-\w+\/replies$/).waitFor();
    await press('Edit');
    expect(await dialog().getByLabel('Reply secret').inputValue()).toBe('');
    await dialog().getByPlaceholder('Leave empty to keep the current secret').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const [{ id, name, events }] = (await it.ask('GET', '/api/webhooks')).data;
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await it.ask('PUT', `/api/webhooks/${id}`, { name, url, events, active: true });
    const [own] = (await it.ask('GET', '/api/webhooks')).data;
    expect(own).toMatchObject({ has_reply_secret: true, format: 'standard' });
    expect(JSON.stringify(own)).not.toContain(secret);
  });

  test('it gets another secret, is switched off and on, and is deleted', async () => {
    await press('Rotate secret');
    await dialog().getByRole('button', { name: 'Rotate', exact: true }).click();
    expect(await dialog().locator('code').textContent()).toMatch(/^whsec_/);
    await confirm('Done');
    await page.getByText('previous secret valid until').waitFor();
    await press('Disable');
    await dialog().getByText('Stops all deliveries').waitFor();
    const [own] = (await it.ask('GET', '/api/webhooks')).data;
    const { name, url, events } = own;
    await it.ask('PUT', `/api/webhooks/${own.id}`, { name: `${name}, night`, url, events, active: true });
    await confirm('Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect((await it.ask('GET', `/api/webhooks/${own.id}`)).data).toMatchObject({
      name: `${name}, night`,
      active: false,
    });
    await press('Enable');
    await press('Send test');
    await until(async () => got.at(-1)!.signature.split(' ').length === 2);
    await press('Delete');
    await confirm('Delete');
    await page.getByText('No webhooks yet').waitFor();
    expect((await it.ask('GET', '/api/webhooks')).data).toEqual([]);
  });
});

describe('tenants', () => {
  test('nothing of one is seen in another, and one is deleted by its name', async () => {
    await open('Tenants');
    await press('Create tenant');
    await write('ID', 'acme');
    await write('Name', 'Acme');
    await confirm('Create');
    await press('Switch to : Acme');
    await page.getByText("You're viewing tenant acme.").waitFor();
    await page.goto(`${it.url}/ui/admin/users`);
    await page.getByText('No users yet').waitFor();
    await press('Add user');
    await write('Username', 'eve');
    await write('Password', SECRET);
    await confirm('Add');
    await page.getByRole('row', { name: /^eve/ }).waitFor();

    const eve = await asOther('groups', 'eve', 'acme');
    await eve.getByRole('button', { name: /^Search or go to/ }).waitFor();
    await eve.getByText('No events yet').waitFor();
    expect(await eve.getByText('Switch link down').count()).toBe(0);
    expect(await eve.getByRole('button', { name: 'Tenant acme' }).count()).toBe(0);
    await eve.goto(`${it.url}/ui/admin/tenants`);
    await eve.getByText('This page requires the tenants.manage permission').waitFor();
    await eve.context().close();

    await page.getByRole('button', { name: 'Tenant acme' }).click();
    await page.getByRole('menuitem', { name: 'default' }).click();
    await page.getByText('Switch link down').first().waitFor();
    await page.goto(`${it.url}/ui/admin/users`);
    await page.getByRole('row', { name: /^Ann/ }).waitFor();
    expect(await page.getByRole('row', { name: /^eve/ }).count()).toBe(0);

    await open('Tenants');
    await press('Delete Acme');
    const sure = dialog().getByRole('button', { name: 'Delete tenant' });
    expect(await sure.isDisabled()).toBe(true);
    await write('Type acme to confirm', 'acme');
    await confirm('Delete tenant');
    await page.getByRole('row', { name: /Acme.* deleting|acme deleted/i }).waitFor();

    // A tab that still shows it returns to its own.
    await page.evaluate(() => sessionStorage.setItem('faultline-tenant', 'acme'));
    await page.reload();
    await page.getByRole('button', { name: 'Tenant default' }).waitFor();
  });
});

test('the audit names those who were changed, and is narrowed to a time as other lists are', async () => {
  const account = { username: 'zed', name: 'Zed', role: 'viewer', password: 'a password for tests' };
  const { id } = (await it.ask('POST', '/api/admin/users', account)).data;
  await it.ask('PUT', `/api/admin/users/${id}`, { role: 'operator' });
  await it.ask('DELETE', `/api/admin/users/${id}`);
  await open('Audit log');
  await page
    .getByRole('row', { name: /User Zed/ })
    .nth(2)
    .waitFor();
  await page
    .getByRole('row', { name: /User Ann/ })
    .first()
    .waitFor();
  expect(await page.getByRole('cell', { name: /^User 01/ }).count()).toBe(0);
  await press('Add filter');
  await page.getByRole('menuitem', { name: 'time' }).click();
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
  await press('Apply');
  await page.getByText('No matching entries').waitFor();
  await press('Remove time');
  await page
    .getByRole('row', { name: /User Ann/ })
    .first()
    .waitFor();
});

describe('AI', () => {
  test('its settings are shown before they are saved, and a change by somebody else is not lost', async () => {
    await open('AI');
    await page.getByText('No language model configured').waitFor();
    await page.getByRole('textbox', { name: 'Daily token limit, at most' }).fill('50000');
    await page.getByRole('textbox', { name: 'Monthly cost limit, at most' }).fill('20');
    await page.getByRole('textbox', { name: 'Minimum confidence for a root cause, below (%)' }).fill('60');
    await page.getByRole('textbox', { name: 'Country, code' }).fill('de');
    await it.ask('PUT', AI, { dailyTokens: 70_000, pseudonymise: true });
    await press('Save…');
    await dialog().getByText('no limit → 20').waitFor();
    await dialog().getByText('35% → 60%').waitFor();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByRole('button', { name: 'Yours: 50,000' }).waitFor();
    await dialog().getByRole('button', { name: 'Theirs: 70,000' }).click();
    await confirm('Save');
    expect((await it.ask('GET', AI)).data.overrides).toEqual({
      dailyTokens: 70_000,
      pseudonymise: true,
      monthlyCost: 20,
      abstainBelow: 0.6,
      country: 'DE',
    });
  });

  test('runbooks are added, moved, edited and removed', async () => {
    await open('AI');
    const runbooks = page.getByRole('region', { name: 'Runbooks' });
    const form = page.getByRole('dialog');
    const add = async (url: string, kind: string): Promise<void> => {
      await runbooks.getByRole('button', { name: 'Add runbook' }).click();
      await form.getByRole('textbox', { name: 'Address or short instruction' }).fill(url);
      await form.getByRole('combobox', { name: 'Kind of problem' }).selectOption(kind);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
    };
    await add('https://wiki.example.com/any', '');
    await add('https://wiki.example.com/cert', 'certificate_expired');
    await runbooks.getByRole('button', { name: 'Move up https://wiki.example.com/cert' }).click();
    await runbooks.getByRole('rowheader').first().getByText('kind of problem “Certificate expired”').waitFor();
    expect(await hindrancesOn(page)).toEqual([]);
    await runbooks.getByRole('button', { name: 'Edit https://wiki.example.com/any' }).click();
    await form.getByRole('combobox', { name: 'CI type' }).fill('database');
    expect(await violationsInThemes(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await runbooks.getByText('CI type database').waitFor();
    await runbooks.getByRole('button', { name: 'Remove https://wiki.example.com/cert' }).click();
    await form.getByRole('button', { name: 'Remove' }).click();
    await runbooks.getByText('kind of problem').waitFor({ state: 'detached' });
    const { effective } = (await it.ask('GET', '/api/admin/settings/ai')).data;
    expect(effective.runbooks).toEqual([{ url: 'https://wiki.example.com/any', ciType: 'database' }]);
  });
});

describe('everybody can use them', () => {
  const PAGES = ['Users', 'Teams', 'Tokens', 'Webhooks', 'AI', 'Limits', 'Audit log', 'Tenants'];

  test('each keeps WCAG 2.2 AA in both themes, and needs no sideways scrolling at 390 px', async () => {
    await it
      .ask('POST', '/api/webhooks', { name: 'Mail', url: 'https://192.0.2.9/x', events: ['*'] })
      .catch(() => null);
    const found: Record<string, unknown> = {};
    for (const words of PAGES) {
      await open(words);
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      const violations = await violationsInThemes(page);
      await page.setViewportSize(NARROW);
      const width = await page.evaluate(() => document.querySelector('main')?.scrollWidth ?? 0);
      await page.setViewportSize(WIDE);
      if (violations.length > 0 || width > NARROW.width) found[words] = { violations, width };
    }
    expect(found).toEqual({});
  });

  test('a form keeps it too', async () => {
    await open('Webhooks');
    await press('Create webhook');
    await dialog().getByText('Filters').click();
    expect(await violationsInThemes(page)).toEqual([]);
  });
});

test('nothing was blocked by the policy, and no script has failed', () => {
  expect(it.reports).toEqual({ policy: [], errors: [] });
});
