import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Workers, and threads and processes that tests start, find their code compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/tests', import.meta.url));

export default {
  testEnvironment: '<rootDir>/test/setup/native/environment.ts',
  testRunner: '<rootDir>/test/setup/native/framework.ts',
  // Every test imports what it uses.
  injectGlobals: false,
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/engines/', '/journeys/engines/'],
  testTimeout: 20_000,
  // Tests wait for a third of their time: two cores have work for three, of which jest would have begun one.
  maxWorkers: Math.max(3, availableParallelism() - 1),
};
