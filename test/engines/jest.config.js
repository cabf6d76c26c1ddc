/** Tests that talk to real engines; `global-setup.ts` says where those come from. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/setup/strip-types.js' },
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  testMatch: ['<rootDir>/test/engines/**/*.test.ts'],
  globalSetup: '<rootDir>/test/engines/global-setup.ts',
  globalTeardown: '<rootDir>/test/engines/global-teardown.ts',
  // The engines need the other core.
  maxWorkers: 1,
  testTimeout: 60_000,
};
