import { afterAll, beforeAll, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { play } from './play.ts';
import { loadScenarios } from './scenario.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

test.each(loadScenarios().map((scenario, index) => [scenario.name, scenario, index] as const))(
  '%s',
  (_, scenario, index) => play(app, scenario, index),
);
