import { Fault } from '#domain/fault.ts';
import { within } from '#infra/wait.ts';

/** Seconds after which a retry is worth trying. */
const RETRY_AFTER_S = 5;

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', "The topology store isn't responding", [], { retryAfter: RETRY_AFTER_S, cause });

/** Throws Fault `unavailable` after `ms`; the work itself continues, its result is ignored. */
export const withTimeLimit = <T>(ms: number, work: Promise<T>): Promise<T> => within(ms, work, () => unavailable());
