import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageFailure } from './storage-failure.ts';

/** Written in turns: while what one holds is brought to the database, the other takes what comes. */
const FILES = ['faultline.redo', 'faultline.redo2'] as const;
/** Before each entry: magic, checksum of all that follows, length of the content, number of the entry (8 bytes). */
const HEAD_BYTES = 20;
const MAGIC = 0x464c5244;
/** From this size on the other file is taken, as soon as it is free. */
const TURN_BYTES = 16 * 1024 * 1024;

export interface Entry {
  /** One above that of the entry before it, over the life of the directory. */
  readonly number: number;
  readonly content: Uint8Array;
}

/**
 * Changes that are not in the database yet: on disk at once by a small sequential write, where a commit writes pages all over the
 * database. So many batches share one commit, none waits for it, and each of them survives a loss of power before it.
 */
export interface RedoLog {
  /** All of them are on disk when it returns; the number of the first. Throws StorageFailure when they are not: then none counts. */
  append(contents: readonly Uint8Array[]): number;
  /** Entries through this number are in the database: their place may be used again. */
  release(through: number): void;
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

/** Behind the newest entries of a file stand older ones, of an earlier use of their place. */
function readFile(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const found: Entry[] = [];
  for (let offset = 0; ; ) {
    const entry = entryAt(bytes, offset);
    if (entry === null || entry.number <= (found.at(-1)?.number ?? 0)) return found;
    found.push(entry);
    offset += HEAD_BYTES + entry.content.length;
  }
}

/** What the files hold after the entry with this number, in order; nothing that stands behind a gap, as that was never acknowledged. */
export function readRedoLog(directory: string, after: number): readonly Entry[] {
  const all = FILES.flatMap((file) => readFile(join(directory, file)))
    .filter(({ number }) => number > after)
    .sort((a, b) => a.number - b.number);
  const gap = all.findIndex(({ number }, index) => index > 0 && number !== all[index - 1]!.number + 1);
  return gap === -1 ? all : all.slice(0, gap);
}

export function removeRedoLog(directory: string): void {
  for (const file of FILES) rmSync(join(directory, file), { force: true });
}

interface Place {
  readonly descriptor: number;
  /** Whether this file system counts names of files: one without a name has been deleted. */
  readonly isCounted: boolean;
  bytes: number;
  /** Number of the newest entry written there. */
  last: number;
}

const hasName = (descriptor: number): boolean => fstatSync(descriptor).nlink > 0;

function openPlace(path: string): Place {
  // Each write is on disk when it returns, and needs no second call for it.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC, 0o600);
  return { descriptor, isCounted: hasName(descriptor), bytes: 0, last: 0 };
}

class FileRedoLog implements RedoLog {
  #place: Place;
  #other: Place;
  #last: number;
  #released: number;
  readonly #turnBytes: number;

  constructor(directory: string, last: number, turnBytes: number) {
    [this.#place, this.#other] = FILES.map((file) => openPlace(join(directory, file))) as [Place, Place];
    this.#last = this.#released = last;
    this.#turnBytes = turnBytes;
  }

  append(contents: readonly Uint8Array[]): number {
    const first = this.#last + 1;
    const buffers = contents.flatMap((content, index) => [headOf(first + index, content), content]);
    const place = this.#placeForMore();
    place.bytes += write(place, buffers);
    place.last = this.#last += contents.length;
    return first;
  }

  release(through: number): void {
    this.#released = through;
  }

  close(): void {
    for (const { descriptor } of [this.#place, this.#other]) closeSync(descriptor);
  }

  #placeForMore(): Place {
    const isFree = ({ last }: Place) => last <= this.#released;
    if (!isFree(this.#place)) {
      if (this.#place.bytes < this.#turnBytes || !isFree(this.#other)) return this.#place;
      [this.#place, this.#other] = [this.#other, this.#place];
    }
    this.#place.bytes = 0;
    return this.#place;
  }
}

/** A deleted file takes what is written as before, and nobody will ever read it. */
const isGone = ({ descriptor, isCounted }: Place): boolean => isCounted && !hasName(descriptor);

function write(place: Place, buffers: readonly Uint8Array[]): number {
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  let written: number;
  try {
    if (isGone(place))
      throw new Error('the redo log was deleted: start the server anew when its data directory is back');
    written = writevSync(place.descriptor, buffers, place.bytes);
  } catch (error) {
    throw new StorageFailure((error as Error).message);
  }
  if (written < length) throw new StorageFailure('the disk is full');
  return length;
}

/** `last` is the number of the newest entry that is in the database; what the files hold is no longer needed. */
export const openRedoLog = (directory: string, last: number, turnBytes = TURN_BYTES): RedoLog =>
  new FileRedoLog(directory, last, turnBytes);
