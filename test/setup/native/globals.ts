/**
 * Implements `@jest/globals` in a process that retains its modules from file to file: each name refers to that of the
 * running file.
 */
import type * as jestGlobals from '@jest/globals';

export type Globals = typeof jestGlobals;
type Callable = (...args: unknown[]) => unknown;

let current: Globals;

export const useGlobals = (globals: Globals): void => {
  current = globals;
};

const standingFor = <K extends keyof Globals>(name: K): Globals[K] =>
  new Proxy((() => {}) as unknown as object, {
    get: (_, key) => Reflect.get(current[name] as object, key),
    apply: (_, self, args) => Reflect.apply(current[name] as Callable, self, args),
  }) as Globals[K];

export const afterAll = standingFor('afterAll');
export const afterEach = standingFor('afterEach');
export const beforeAll = standingFor('beforeAll');
export const beforeEach = standingFor('beforeEach');
export const describe = standingFor('describe');
export const expect = standingFor('expect');
export const it = standingFor('it');
export const jest = standingFor('jest');
export const test = standingFor('test');
