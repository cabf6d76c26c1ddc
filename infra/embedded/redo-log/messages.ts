import type { SendableError } from '#infra/embedded/sqlite/errors.ts';
import type { RedoLogEntry } from './redo-log-entries.ts';
import type { RefusedChange } from './replay.ts';

/** Messages to the journal thread. */
export type ToRedoLog =
  | { readonly kind: 'write'; readonly batch: number; readonly content: Uint8Array<ArrayBuffer> }
  /** Batches before it are lost once one is; those after it were made from memory that was read again. */
  | { readonly kind: 'resume' }
  | Forwarded;

type Forwarded =
  /** Commit now, and retry failed entries. */
  { readonly kind: 'commit' } | { readonly kind: 'end' };

export type FromRedoLog =
  /** Sent at its start: all earlier entries are in the database. */
  | { readonly kind: 'ready' }
  /** All batches up to this number are durable. */
  | { readonly kind: 'durable'; readonly through: number }
  | { readonly kind: 'lost'; readonly through: number; readonly error: SendableError }
  /** All batches up to this number are in the database. */
  | { readonly kind: 'applied'; readonly through: number }
  | ApplyFailure;

type ApplyFailure =
  /** The store failed; the batches wait for the next `commit`. */
  | { readonly kind: 'failed'; readonly error: SendableError }
  | { readonly kind: 'refused'; readonly all: readonly RefusedChange[] };

/**
 * An entry in flight to the database. Entries are numbered over the life of the directory, batches over that of the
 * process.
 */
export interface DurableEntry extends RedoLogEntry {
  readonly batch: number;
}

/** Messages to the thread that applies entries to the database. */
export type ToApplier = { readonly kind: 'apply'; readonly entries: readonly DurableEntry[] } | Forwarded;

export type FromApplier =
  /** Sent at its start, with the identity of the database and the number of its newest applied entry. */
  | { readonly kind: 'ready'; readonly identity: number; readonly last: number }
  /** The entries up to `last` are in the database, and so are the batches up to `through`. */
  | { readonly kind: 'applied'; readonly last: number; readonly through: number }
  | ApplyFailure
  /** The last message; `isDone`: all entries are applied. */
  | { readonly kind: 'ended'; readonly isDone: boolean };
