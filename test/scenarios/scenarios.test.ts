import { test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { play } from './play.ts';
import { loadScenarios } from './scenario.ts';

const app = appOfTests();

test.each(loadScenarios().map((scenario, index) => [scenario.name, scenario, index] as const))(
  '%s',
  (_, scenario, index) => play(app, scenario, index),
);
