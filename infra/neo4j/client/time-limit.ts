import { Fault } from '#domain/fault.ts';

/** Seconds after which a retry is worth trying. */
const RETRY_AFTER_S = 5;

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', 'The topology store does not answer', [], { retryAfter: RETRY_AFTER_S, cause });

/** Throws Fault `unavailable` after `ms`; the work itself goes on, its result is ignored. */
export async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
