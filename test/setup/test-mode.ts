/** Infrastructure of the whole service in a test. */
export interface TestMode {
  readonly env: Readonly<Record<string, string>>;
  /** Called before each start: nothing of earlier tests is left. */
  empty(): Promise<void>;
  /** True if an event is answered before its group is decided. */
  readonly decidesLater: boolean;
}

const inMemory: TestMode = { env: { FAULTLINE_DATA: ':memory:' }, empty: async () => {}, decidesLater: false };

let chosen = inMemory;

/** Memory, unless the tests are run with engines. */
export const testMode = (): TestMode => chosen;

/** Applies to all apps that tests of this process open later, in other files, too. */
export const runOn = (mode: TestMode): void => {
  chosen = mode;
};
