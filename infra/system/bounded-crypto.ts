import { Fault } from '#domain/fault.ts';
import type { Crypto } from '#domain/ports/ports.ts';

/** Password hashes computed at a time; each needs 19 MiB and some 30 ms of a core. */
const MAX_RUNNING = 4;
/** Further ones that wait; a second passes at most until all of them are done. */
const MAX_WAITING = 64;
const RETRY_AFTER_S = 1;

export interface HashBounds {
  readonly running?: number;
  readonly waiting?: number;
}

type CryptoTurn = () => void;

/**
 * The same, with a bound on password hashes. Beyond it they throw Fault `rate-limited`, so that logins cannot occupy
 * all cores.
 */
export const boundedCrypto = (crypto: Crypto, { running = MAX_RUNNING, waiting = MAX_WAITING }: HashBounds = {}) => {
  let free = running;
  const queue: CryptoTurn[] = [];

  const enter = (): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1;
      return undefined;
    }
    if (queue.length >= waiting)
      throw new Fault('rate-limited', 'Too many logins in progress. Try again later', [], {
        retryAfter: RETRY_AFTER_S,
      });
    return new Promise((resolve) => queue.push(resolve));
  };
  /** The slot is passed to the next in the queue, or becomes free. */
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return {
    ...crypto,
    hashPassword: (password) => inTurn(() => crypto.hashPassword(password)),
    verifyPassword: (password, hash) => inTurn(() => crypto.verifyPassword(password, hash)),
  } satisfies Crypto;
};
