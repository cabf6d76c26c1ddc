import type { SendableError } from '#infra/embedded/sqlite/errors.ts';
import type { Entry } from './journal-entries.ts';
import type { Refused } from './replay.ts';

/** What the thread is sent that keeps changes. */
export type ToKeeper =
  | { readonly kind: 'write'; readonly era: number; readonly content: Uint8Array<ArrayBuffer> }
  | PassedOn;

type PassedOn =
  /** To commit now what would be committed soon, and to try again what could not be. */
  { readonly kind: 'commit' } | { readonly kind: 'end' };

export type FromKeeper =
  /** At its start: everything that was kept before is in the database. */
  | { readonly kind: 'ready' }
  /** The answer to so many writes, the oldest; null when they are kept. */
  | { readonly kind: 'kept'; readonly count: number; readonly error: SendableError | null }
  | AboutKept;

/** What became of what was kept. */
type AboutKept =
  /** So many of the writes, the oldest, are in the database. */
  | { readonly kind: 'applied'; readonly count: number; readonly through: number }
  /** They are not, and wait for the next `commit`. */
  | { readonly kind: 'failed'; readonly error: SendableError }
  | { readonly kind: 'refused'; readonly all: readonly Refused[] };

/** What the thread is sent that applies to the database what was kept. */
export type ToApplier = { readonly kind: 'apply'; readonly entries: readonly Entry[] } | PassedOn;

export type FromApplier =
  /** At its start, with the database's identity and the number of the newest entry in it. */
  | { readonly kind: 'ready'; readonly identity: number; readonly last: number }
  | AboutKept
  /** The last word; `isDone` when nothing is left that only the log has. */
  | { readonly kind: 'ended'; readonly isDone: boolean };
