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
