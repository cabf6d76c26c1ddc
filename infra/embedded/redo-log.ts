import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageFailure } from './storage-failure.ts';

const FILE = 'faultline.redo';
/** Before each entry: magic, checksum of all that follows, length of the content, number of the entry (8 bytes). */
const HEAD_BYTES = 20;
const MAGIC = 0x464c5244;

export interface Entry {
  /** One above that of the entry before it, over the life of the directory. */
  readonly number: number;
  readonly content: Uint8Array;
}

/**
 * What a transaction that is still open has changed: on disk at once by a small sequential write, where a commit writes pages all over
 * the database. So many batches share one commit, and each of them survives a loss of power before it.
 */
export interface RedoLog {
  /** The entry is on disk when it returns; its number. Throws StorageFailure when it is not. */
  append(content: Uint8Array): number;
  /** Everything that was appended is in the database: its place is used again. */
  restart(): void;
  close(): void;
}

const headOf = (number: number, content: Uint8Array): Buffer => {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(content.length, 8);
  head.writeBigUInt64LE(BigInt(number), 12);
  head.writeUInt32LE(crc32(content, crc32(head.subarray(8))), 4);
  return head;
};

/** The entry at the offset, or null where writing ended. */
function entryAt(bytes: Buffer, offset: number): Entry | null {
  const head = bytes.subarray(offset, offset + HEAD_BYTES);
  if (head.length < HEAD_BYTES || head.readUInt32LE(0) !== MAGIC) return null;
  const length = head.readUInt32LE(8);
  const content = bytes.subarray(offset + HEAD_BYTES, offset + HEAD_BYTES + length);
  const isWhole = content.length === length && crc32(content, crc32(head.subarray(8))) === head.readUInt32LE(4);
  return isWhole ? { number: Number(head.readBigUInt64LE(12)), content } : null;
}

/** What the file holds after the entry with this number. Behind the newest entries stand older ones, of an earlier use of their place. */
export function readRedoLog(directory: string, after: number): readonly Entry[] {
  const path = join(directory, FILE);
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const found: Entry[] = [];
  for (let offset = 0, last = 0; ; ) {
    const entry = entryAt(bytes, offset);
    if (entry === null || entry.number <= last) return found;
    last = entry.number;
    offset += HEAD_BYTES + entry.content.length;
    if (last > after) found.push(entry);
  }
}

export function removeRedoLog(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}

class FileRedoLog implements RedoLog {
  readonly #descriptor: number;
  #bytes = 0;
  #last: number;

  constructor(directory: string, last: number) {
    // Each write is on disk when it returns, and needs no second call for it.
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC;
    this.#descriptor = openSync(join(directory, FILE), flags, 0o600);
    this.#last = last;
  }

  append(content: Uint8Array): number {
    const head = headOf(this.#last + 1, content);
    this.#write([head, content], head.length + content.length);
    this.#bytes += head.length + content.length;
    this.#last += 1;
    return this.#last;
  }

  restart(): void {
    this.#bytes = 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(buffers: readonly Uint8Array[], length: number): void {
    let written: number;
    try {
      written = writevSync(this.#descriptor, buffers, this.#bytes);
    } catch (error) {
      throw new StorageFailure((error as Error).message);
    }
    if (written < length) throw new StorageFailure('the disk is full');
  }
}

/** `last` is the number of the newest entry that is in the database; what the file holds is no longer needed. */
export const openRedoLog = (directory: string, last: number): RedoLog => new FileRedoLog(directory, last);
