import { Fault } from '#domain/fault.ts';

const RETRY_AFTER_S = 5;

/** Throws Fault `unavailable` with these words after `ms`: a Kafka client tries again as long as no broker answers. */
export const inTime = async <T>(ms: number, asked: Promise<T>, words: string): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const fault = new Fault('unavailable', words, [], { retryAfter: RETRY_AFTER_S });
  const timer = setTimeout(() => late.reject(fault), ms);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
