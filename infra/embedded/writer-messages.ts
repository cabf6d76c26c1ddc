import type { Refused } from './redo.ts';
import type { SendableError } from './storage-failure.ts';

/** What the writer's thread is sent. */
export type ToWriter =
  | { readonly kind: 'write'; readonly era: number; readonly content: Uint8Array }
  /** To commit now what would be committed soon, and to try again what could not be. */
  | { readonly kind: 'commit' }
  | { readonly kind: 'end' };

export type FromWriter =
  /** At its start: everything that a thread before it had kept is in the database. */
  | { readonly kind: 'ready' }
  /** The answer to each write, in their order; null when it is kept. */
  | { readonly kind: 'kept'; readonly error: SendableError | null }
  /** So many of the writes that were kept, the oldest, are in the database. */
  | { readonly kind: 'applied'; readonly count: number }
  /** They are not, and wait for the next `commit`. */
  | { readonly kind: 'failed'; readonly error: SendableError }
  | { readonly kind: 'refused'; readonly all: readonly Refused[] };
