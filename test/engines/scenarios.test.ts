import { afterAll, beforeAll, test } from '@jest/globals';
import { play } from '#test/scenarios/play.ts';
import { loadScenarios } from '#test/scenarios/scenario.ts';
import type { TestApp } from '#test/setup/test-app.ts';
import { openDistributedApp } from './distributed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDistributedApp();
}, 180_000);
afterAll(() => app.stop());

/** The same stories as on one file, with the same groups, causes and answers. */
test.each(loadScenarios().map((scenario, index) => [scenario.name, scenario, index] as const))(
  '%s',
  (_, scenario, index) => play(app, scenario, index),
);
