import type { Every } from '#domain/ports/clock.ts';

export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};
