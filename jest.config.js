import { availableParallelism } from 'node:os';

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
