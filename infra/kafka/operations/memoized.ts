import { Fault } from '#domain/fault.ts';
import { within } from '#infra/wait.ts';

const late = (): Fault => new Fault('unavailable', 'The log does not answer', [], { retryAfter: 5 });

/** Callers share one running `ask`, and its result for `freshMs`. */
export const memoized = <T>(
  ask: () => Promise<T>,
  { freshMs, deadlineMs }: { readonly freshMs: number; readonly deadlineMs: number },
): (() => Promise<T>) => {
  let known: { readonly value: T; readonly at: number } | null = null;
  let asking: Promise<T> | null = null;
  const askNow = async (): Promise<T> => {
    try {
      const value = await ask();
      known = { value, at: performance.now() };
      return value;
    } finally {
      asking = null;
    }
  };
  return () => {
    if (known !== null && performance.now() - known.at < freshMs) return Promise.resolve(known.value);
    asking ??= askNow();
    return within(deadlineMs, asking, late);
  };
};
