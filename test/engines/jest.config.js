/** Tests that talk to real engines, and the journeys and scenarios on them; `global-setup.ts` says where the engines come from. */
export default {
  rootDir: '../..',
  testEnvironment: '<rootDir>/test/setup/native/environment.ts',
  testRunner: '<rootDir>/test/setup/native/framework.ts',
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  testMatch: [
    'test/engines/**/*',
    'test/journeys/*',
    'test/conformance/specification',
    'test/scenarios/scenarios',
    'features/*/journeys/*',
    'features/*/journeys/engines/*',
  ].map((tests) => `<rootDir>/${tests}.test.ts`),
  setupFilesAfterEnv: ['<rootDir>/test/engines/on-engines.ts'],
  globalSetup: '<rootDir>/test/engines/global-setup.ts',
  globalTeardown: '<rootDir>/test/engines/global-teardown.ts',
  // The engines need the other core.
  maxWorkers: 1,
  testTimeout: 60_000,
};
