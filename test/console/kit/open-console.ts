import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type App, start } from '#app';
import type { Clock } from '#domain/ports/clock.ts';
import { readConfig } from '#infra/config.ts';
import { systemClock } from '#infra/system/time.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openBrowser } from './browser.ts';
import { waitQuickly } from './quick-waits.ts';
import { collectReports, type Reports } from './reports.ts';
import { tabsOf } from './tabs.ts';

export const PASSWORD = 'a password for tests';
const TOKEN = 'bootstrap-token-of-the-tests';
export const WIDE = { width: 1_280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/** Maximum time of a page's step. */
const LONGEST_MS = 45_000;

export interface TestConsole {
  readonly app: App;
  readonly url: string;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly reports: Reports;
  /** A request of a program with all rights; throws when it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes; the server checks them against their schemas.
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<any>;
  /** A tab at this address below `ui/`. */
  tab(path?: string, root?: string): Promise<Page>;
  /** Opens a tab of a signed-in user. */
  signedIn(path?: string, user?: Partial<Credentials>): Promise<Page>;
  /**
   * Navigates the tab left by the previous test to this address without a load; its messages, input and selections are
   * gone.
   */
  onward(path: string): Promise<Page>;
  /** The test has ended with this tab. */
  leave(page: Page): Promise<void>;
  close(): Promise<void>;
}
export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly tenant: string;
}

export interface ConsoleOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Clock of the server alone; else the real one. */
  readonly clock?: Clock;
  /** Fixed time of the server and the pages; else the real one. */
  readonly at?: number;
  readonly viewport?: typeof WIDE;
}

/** The server of these tests, on a database in memory, that checks each reply against its schema. */
export const startServer = (env: Readonly<Record<string, string>> = {}, clock: Clock = systemClock): Promise<App> =>
  start(
    readConfig({
      PORT: '0',
      FAULTLINE_DATA: ':memory:',
      FAULTLINE_ADMIN_PASSWORD: PASSWORD,
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LIMIT_SCALE: '0',
      FAULTLINE_LOG_LEVEL: 'silent',
      ...env,
    }),
    { clock, checkReplies: true },
  );

const contextOf = async (browser: Browser, viewport: typeof WIDE): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  context.setDefaultTimeout(LONGEST_MS);
  return context;
};

/** Leads a page that is open to another address below `ui/` as a link in it does; loading it costs four times as much. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', new URL(to, document.baseURI));
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Closes messages, which stay for 30 s when they can be undone. */
async function closeMessages(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton')) button.click();
  });
  await page.waitForFunction(() => document.querySelector('.mantine-Notification-root') === null);
}

export async function signIn(
  page: Page,
  { username = 'admin', password = PASSWORD, tenant }: Partial<Credentials> = {},
) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  if (tenant !== undefined) {
    await page.getByText('Choose a tenant').click();
    await page.getByRole('textbox', { name: 'Tenant' }).fill(tenant);
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' });
}

/** One server and one browser context for the tests of a file. */
async function openConsole({ env, at, clock, viewport = WIDE }: ConsoleOptions = {}): Promise<TestConsole> {
  const browser = await openBrowser();
  const app = await startServer(env, at === undefined ? clock : setClock(at));
  const context = await contextOf(browser, viewport);
  if (at !== undefined) await context.clock.setFixedTime(at);
  const reports = await collectReports(context);

  const ask: TestConsole['ask'] = async (method, path, body, headers = {}) => {
    const reply = await fetch(app.url + path, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  };
  const tabs = tabsOf(context, viewport);
  const load = async (page: Page, path: string, root = `${app.url}/`): Promise<Page> => {
    waitQuickly(page, LONGEST_MS);
    await page.goto(`${root}ui/${path}`);
    return page;
  };
  const tab: TestConsole['tab'] = async (path = '', root) => load(await tabs.open(), path, root);
  const signedIn: TestConsole['signedIn'] = async (path = '', user) => {
    const page = await load(await tabs.take(), path);
    const [entrance, inside] = [
      page.getByRole('textbox', { name: 'Username' }),
      page.getByRole('button', { name: /^Search or go to/ }),
    ];
    await entrance.or(inside).first().waitFor();
    if (await entrance.isVisible()) await signIn(page, user);
    return page;
  };
  const onward: TestConsole['onward'] = async (path) => {
    const page = tabs.keep();
    if (page === null) return signedIn(path);
    await closeMessages(page);
    await goWithin(page, 'me');
    await page.getByText('Shortcuts and sound').waitFor();
    await goWithin(page, path);
    return page;
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await app.stop();
  };
  return { app, url: app.url, browser, context, reports, ask, tab, signedIn, onward, leave: tabs.leave, close };
}

/** The console of the tests of a file: opened before the first, closed after the last, empty until then. */
export function consoleOfTests(options: ConsoleOptions | (() => ConsoleOptions) = {}): TestConsole {
  // Browsers are slow on a machine that does much else.
  jest.setTimeout(180_000);
  const it = {} as TestConsole;
  beforeAll(async () => {
    Object.assign(it, await openConsole(typeof options === 'function' ? options() : options));
  });
  afterAll(() => it.close());
  return it;
}

/** The last test of a file. */
export const expectNoReports = (it: TestConsole): void =>
  test('no page broke the content policy or met an error', () => {
    expect(it.reports).toEqual({ policy: [], errors: [] });
  });
