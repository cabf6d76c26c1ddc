import { errorMessage } from '#domain/fault.ts';

export const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/** Result codes of the disk, the file or its lock: busy, locked, no memory, readonly, I/O, corrupt, full, cannot open, protocol, not a database. */
const STORAGE_CODES: ReadonlySet<number> = new Set([SQLITE_BUSY, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** SQLite's primary result code, or null when the error is not SQLite's. */
export function primaryCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  if (typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** True when the store failed, not the content: the batch can be tried again once the store works. */
export function isStorageFailure(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== null && STORAGE_CODES.has(code);
}

const SQLITE_ERROR = 1;
/** True when a sum needs more than 64 bits. */
export const isIntegerOverflow = (error: unknown): boolean =>
  primaryCode(error) === SQLITE_ERROR && error instanceof Error && error.message === 'integer overflow';

/** A failure of the store that is no SQLite error. */
export class StorageFailure extends Error {
  readonly errcode = SQLITE_IOERR;
}

/** The part of an error that passes between threads, which drop all fields but the message. */
export interface SendableError {
  readonly message: string;
  readonly errcode: number | null;
}

export const sendableError = (error: unknown): SendableError => ({
  message: errorMessage(error),
  errcode: primaryCode(error),
});

export const asError = ({ message, errcode }: SendableError): Error =>
  errcode === null ? new Error(message) : Object.assign(new Error(message), { errcode });
