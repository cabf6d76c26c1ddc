import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type AccessWorld, adminEndpoint, BOOTSTRAP_TOKEN, openAccessWorld } from './access.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** The app of the tests of a file or `describe`: opened before the first, stopped after the last, empty until then. */
export const appOfTests = (...options: Parameters<typeof openTestApp>): TestApp => {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await openTestApp(...options));
  });
  afterAll(() => app.stop());
  return app;
};

/** A tenant of the tests: its ID, a token of its own, and requests with it. */
export interface OwnTenant {
  readonly id: string;
  readonly token: string;
  readonly send: TestApp['send'];
}

/** One tenant for all tests of a file or `describe`, or a new one for each, numbered. */
export const tenantOfTests = (app: TestApp, reach: 'all' | 'each', name: string, role?: string): OwnTenant => {
  const send: OwnTenant['send'] = (method, path, body, options) =>
    app.send(method, path, body, { token: own.token, ...options });
  const own = { id: name, token: '', send };
  let serial = 0;
  const before = reach === 'all' ? beforeAll : beforeEach;
  before(async () => {
    if (reach === 'each') own.id = `${name}-${++serial}`;
    own.token = await app.tenant(own.id, role);
  });
  return own;
};

/** An access world with these tenants beside `default`, one for all tests of a file or one for each. */
export const accessOfTests = (reach: 'all' | 'each', ...tenants: readonly string[]): AccessWorld => {
  const world = {} as AccessWorld;
  const [before, after] = reach === 'all' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    Object.assign(world, await openAccessWorld());
    for (const id of tenants) await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.create'), { id });
  });
  after(() => world[Symbol.dispose]());
  return world;
};
