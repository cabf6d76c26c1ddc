import { type App, type StartOptions, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { sinks as ownSinks } from '#whole';
import { type SetClock, setClock } from './set-clock.ts';
import { testMode } from './test-mode.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: journeys read replies of many shapes; the server checks them against their schemas.
  readonly body: any;
}
interface SendOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole service over real HTTP with a clock that the test moves: on a database in memory, or on engines. */
export interface TestApp {
  readonly app: App;
  readonly clock: SetClock;
  readonly url: string;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Reply>;
  /** A token of a new tenant's own with this role. */
  tenant(id: string, role?: string): Promise<string>;
  stop(): Promise<void>;
}

export const TOKEN = 'bootstrap-token-of-the-tests';
export const START = Date.parse('2026-11-20T10:00:00.000Z');

/** Returns true for requests whose answers contain groups. */
const tellsOfGroups = (method: string, path: string): boolean => method === 'GET' || path.includes('correlat');

interface AppOptions extends Pick<StartOptions, 'sinks'> {
  readonly at?: number;
  /** False if it opens what is in the engines already. */
  readonly isEmptied?: boolean;
}

export const openTestApp = async (
  env: Readonly<Record<string, string>> = {},
  { sinks = ownSinks, at = START, isEmptied = true }: AppOptions = {},
): Promise<TestApp> => {
  const clock = setClock(at);
  const mode = testMode();
  if (isEmptied) await mode.empty();
  const config = readConfig({
    PORT: '0',
    ...mode.env,
    FAULTLINE_ADMIN_PASSWORD: 'a password for tests',
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await start(config, { clock, checkReplies: true, sinks });
  let undecided = false;
  const decided = async (method: string, path: string): Promise<void> => {
    if (undecided && tellsOfGroups(method, path)) {
      undecided = false;
      await app.idle();
    }
    undecided ||= mode.decidesLater && method !== 'GET';
  };
  const send: TestApp['send'] = async (method, path, body, { token = TOKEN, headers = {} } = {}) => {
    await decided(method, path);
    const response = await fetch(app.url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const tenant: TestApp['tenant'] = async (id, role = 'admin') => {
    await send('POST', '/api/admin/tenants', { id });
    const made = await send('POST', '/api/admin/tokens', { name: 'test', role }, { headers: { 'x-tenant-id': id } });
    return made.body.data.token;
  };
  return { app, clock, url: app.url, send, tenant, stop: () => app.stop() };
};
