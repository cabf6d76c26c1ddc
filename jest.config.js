import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Threads and processes that tests start find their code compiled; jest has a cache of its own for what it runs itself.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/tests', import.meta.url));

export default {
  testEnvironment: 'node',
  // Every test imports what it uses.
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/setup/strip-types.js' },
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/engines/'],
  testTimeout: 20_000,
  // Jest leaves one core alone, which is half of a machine with two.
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
