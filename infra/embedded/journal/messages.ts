import type { SendableError } from '#infra/embedded/sqlite/errors.ts';
import type { JournalEntry } from './journal-entries.ts';
import type { Refused } from './replay.ts';

/** Messages to the journal thread. */
export type ToJournal =
  | { readonly kind: 'write'; readonly era: number; readonly content: Uint8Array<ArrayBuffer> }
  | Forwarded;

type Forwarded =
  /** Commit now, and retry failed entries. */
  { readonly kind: 'commit' } | { readonly kind: 'end' };

export type FromJournal =
  /** At its start: all earlier entries are in the database. */
  | { readonly kind: 'ready' }
  /** Acknowledges the `count` oldest writes; `error` null: they are durable. */
  | { readonly kind: 'durable'; readonly count: number; readonly error: SendableError | null }
  | ApplyOutcome;

/** Results of applying durable writes. */
type ApplyOutcome =
  /** The `count` oldest writes are in the database. */
  | { readonly kind: 'applied'; readonly count: number; readonly through: number }
  /** The store failed; the writes wait for the next `commit`. */
  | { readonly kind: 'failed'; readonly error: SendableError }
  | { readonly kind: 'refused'; readonly all: readonly Refused[] };

/** Messages to the thread that applies entries to the database. */
export type ToApplier = { readonly kind: 'apply'; readonly entries: readonly JournalEntry[] } | Forwarded;

export type FromApplier =
  /** At its start, with the identity of the database and the number of its newest applied entry. */
  | { readonly kind: 'ready'; readonly identity: number; readonly last: number }
  | ApplyOutcome
  /** The last message; `isDone`: all entries are applied. */
  | { readonly kind: 'ended'; readonly isDone: boolean };
