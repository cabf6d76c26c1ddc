import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Globals, useGlobals } from './globals.ts';

/** The used part of jest's runtime of one file. */
interface Runtime {
  readonly jestGlobals: { setEnvGlobalsOverride(globals: object): void; cjsGlobals(file: string): Globals };
}

type Framework = (
  globalConfig: unknown,
  projectConfig: unknown,
  environment: unknown,
  runtime: Runtime,
  file: string,
  send: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const GLOBALS = new URL('./globals.ts', import.meta.url).href;
/**
 * Jest's name for the list of subscribers of a run; retained beyond one file, it would notify those of earlier files.
 */
const FOLLOWERS = Symbol.for('EVENT_HANDLERS');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

const ran = new Set<string>();

function mustBeNew(file: string): void {
  if (ran.has(file)) throw new Error('A file runs once per process, as modules are kept: start the tests again');
  ran.add(file);
}

/**
 * Jest's own framework, for which Node itself loads what jest would load into a context for each file: modules are loaded once per process
 * instead of once per file, which was nearly half of the time. The price: what a test changes in a module stays changed for the files after it.
 */
const run: Framework = (globalConfig, projectConfig, environment, runtime, file, send) => {
  mustBeNew(file);
  Reflect.deleteProperty(globalThis, FOLLOWERS);
  // Jest's own maps each line of each stack to its source, which for types that are only left out is the same line.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  Object.assign(runtime, {
    requireModule: require,
    requireInternalModule(path: string): unknown {
      delete require.cache[path];
      return require(path);
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href),
    setGlobalsForRuntime(globals: object): void {
      runtime.jestGlobals.setEnvGlobalsOverride(globals);
      useGlobals(runtime.jestGlobals.cjsGlobals(file));
    },
  });
  const framework = require('jest-circus/runner').default as Framework;
  return framework(globalConfig, projectConfig, environment, runtime, file, send);
};

export default run;
