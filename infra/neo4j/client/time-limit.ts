import { Fault } from '#domain/fault.ts';

/** Seconds after which it is worth to try again. */
const RETRY_AFTER_S = 5;

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', 'The topology store does not answer', [], { retryAfter: RETRY_AFTER_S, cause });

/** The result, or a fault when it takes longer; the work itself goes on, unheard. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
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
