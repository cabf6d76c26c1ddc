import { flushCompileCache } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Options = ConstructorParameters<typeof ModernFakeTimers>[0];

/** Jest's environment without a context of its own: tests see the globals, and the modules, of the process they run in. */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  /** Jest puts others in their place for each file. */
  readonly #console = globalThis.console;
  readonly #exit = process.exit;

  constructor({ projectConfig }: { projectConfig: Options['config'] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // At the end of the process it would exceed jest's wait.
    flushCompileCache();
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}
