import { Fault } from '#domain/fault.ts';

/** Throws Fault `unavailable` after `ms`: a Kafka client retries as long as the log is down. */
const inTime = async <T>(ms: number, asked: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const fault = new Fault('unavailable', 'The log does not answer', [], { retryAfter: 5 });
  const timer = setTimeout(() => late.reject(fault), ms);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

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
    return inTime(deadlineMs, asking);
  };
};
