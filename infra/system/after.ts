import type { After } from '#domain/ports/clock.ts';

export const after: After = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};
