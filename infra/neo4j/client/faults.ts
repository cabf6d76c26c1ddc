/** Errors of the server and the driver, in the words of the domain. */
import { Fault } from '#domain/fault.ts';
import { unavailable } from './time-limit.ts';

/** Not told by `instanceof`: errors of another realm are none of ours. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

const LOST: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SessionExpired', 'N/A']);
const TIMED_OUT = /^Neo\.ClientError\.Transaction\.(TransactionTimedOut|LockClientStopped|TransactionTerminated)/;
const NOT_LET_IN = /^Neo\.ClientError\.Security\./;
const TOO_LONG = /too large to index/;
const TAKEN = 'Neo.ClientError.Schema.ConstraintValidationFailed';

/** The server has taken everything back and asks to try again: a deadlock, a restart. */
export const isRolledBack = (error: unknown): boolean => codeOf(error).startsWith('Neo.TransientError.');

/** May go better the next time. After a lost connection nobody knows what has been done. */
export const isPassing = (error: unknown): boolean => isRolledBack(error) || LOST.has(codeOf(error));

/** Anything else stays as it is: an error of ours. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Fault) return error;
  if (code === TAKEN) return new Fault('conflict', 'The key is used already', [], { cause: error });
  if (NOT_LET_IN.test(code))
    return new Fault('unavailable', 'The topology store refuses the credentials of this service', [], { cause: error });
  if (error instanceof Error && TOO_LONG.test(error.message))
    return new Fault('unprocessable', 'A name or key is longer than the topology store can look up', [], {
      cause: error,
    });
  return isPassing(error) || TIMED_OUT.test(code) ? unavailable(error) : error;
}
