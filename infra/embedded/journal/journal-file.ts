import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '#infra/embedded/sqlite/data-directory.ts';
import { StorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { entriesBehind, entriesIn, follows, headOf, type StoredEntry } from './journal-entries.ts';

/** Written in turns: while what one holds is brought to the database, the other takes what comes. */
const FILES = ['faultline.redo', 'faultline.redo2'] as const;
/** From this size on the other file is taken, as soon as it is free. */
const TURN_BYTES = 16 * 1024 * 1024;

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

/** Whole entries behind one that is not: acknowledged changes are lost, unless a loss of power cut one write off. */
export interface Damage {
  /** Number of the first entry that is lost. */
  readonly lost: number;
  /** Numbers of the first and the last whole entry behind it; they cannot be made without those that are lost. */
  readonly behind: readonly [first: number, last: number];
}

export interface RedoEntries {
  /** Without a gap from the number that was asked for. */
  readonly entries: readonly StoredEntry[];
  readonly damage: Damage | null;
}

const bytesOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));

interface File {
  readonly entries: readonly StoredEntry[];
  /** Newer ones, behind something that is not whole. */
  readonly behind: readonly StoredEntry[];
}

function readFile(path: string): File {
  const bytes = bytesOf(path);
  const entries = entriesIn(bytes);
  return { entries, behind: entriesBehind(bytes, entries.at(-1)?.end ?? 0, entries.at(-1)) };
}

/** By number, of several with the same one the newest: what a write that failed has left does not count. */
const inOrder = (entries: readonly StoredEntry[], after: number): StoredEntry[] => {
  const byNumber = new Map<number, StoredEntry>();
  for (const entry of entries) {
    const known = byNumber.get(entry.number);
    if (entry.number > after && (known === undefined || entry.generation > known.generation))
      byNumber.set(entry.number, entry);
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
};

const headGap = (directory: string, after: number, first: number): Error =>
  new Error(
    `The redo log in ${directory} begins with batch ${first}, but ${DATABASE_FILE} ends with batch ${after}: the files do not belong together, as when an older ${DATABASE_FILE} was put back beside the redo files of the server. Put back the files of one moment, or move ${FILES.join(' and ')} away to start without what only they hold.`,
  );

const otherDatabase = (directory: string): Error =>
  new Error(
    `The redo log in ${directory} was written for another database than the ${DATABASE_FILE} beside it, as when one of them was copied there from another server. Put the files of one server together, or move ${FILES.join(' and ')} away to start without what only they hold.`,
  );

/** Nothing behind damage counts here: whatever an event holds may look like an entry there. */
const isOfAnother = (files: readonly File[], identity: number | null): boolean =>
  files.some(({ entries }) => entries.some((entry) => entry.identity !== null && entry.identity !== identity));

/**
 * Reads the entries after the one with this number. Throws when whole entries have another identity than the database (null: it has none
 * yet), or begin with a later one than the next: then it is not the one that they were written for.
 */
export function readRedoLog(directory: string, identity: number | null, after: number): RedoEntries {
  const files = FILES.map((file) => readFile(join(directory, file)));
  if (isOfAnother(files, identity)) throw otherDatabase(directory);
  const all = inOrder(
    files.flatMap((file) => file.entries),
    after,
  );
  const end = all.findIndex((entry, index) => entry.number !== after + 1 + index || !follows(entry, all[index - 1]));
  const entries = end === -1 ? all : all.slice(0, end);
  const last = entries.at(-1);
  const lost = after + entries.length + 1;
  const beyond = files
    .flatMap(({ behind }) => behind)
    .concat(all.slice(entries.length))
    .filter((entry) => follows(entry, last) && entry.number >= lost)
    .map(({ number }) => number);
  const isBroken = files.some(({ behind }) => behind.some(({ number }) => number > after));
  if (entries.length === 0 && beyond.length > 0 && !isBroken) throw headGap(directory, after, Math.min(...beyond));
  const damage = beyond.length === 0 ? null : ({ lost, behind: [Math.min(...beyond), Math.max(...beyond)] } as const);
  return { entries, damage };
}

/** Above that of everything that the files hold. */
const nextGeneration = (directory: string): number => {
  const stored = FILES.flatMap((file) => entriesIn(bytesOf(join(directory, file))));
  return stored.reduce((highest, { generation }) => Math.max(highest, generation), 0) + 1;
};

/** Keeps the files of a damaged log from those that are written next; returns their names. */
export function setRedoLogAside(directory: string, { lost }: Damage): readonly string[] {
  return FILES.filter((file) => existsSync(join(directory, file))).map((file) => {
    const name = `${file}.${lost}.damaged`;
    renameSync(join(directory, file), join(directory, name));
    return name;
  });
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
  /** Of what is written next. */
  #generation: number;
  readonly #identity: number;
  readonly #turnBytes: number;

  constructor(directory: string, identity: number, last: number, turnBytes: number) {
    this.#identity = identity;
    this.#generation = nextGeneration(directory);
    [this.#place, this.#other] = FILES.map((file) => openPlace(join(directory, file))) as [Place, Place];
    this.#last = this.#released = last;
    this.#turnBytes = turnBytes;
  }

  append(contents: readonly Uint8Array[]): number {
    const first = this.#last + 1;
    const headFor = (content: Uint8Array, index: number) =>
      headOf(first + index, this.#generation, this.#identity, content);
    const buffers = contents.flatMap((content, index) => [headFor(content, index), content]);
    const place = this.#placeForMore();
    try {
      place.bytes += write(place, buffers);
    } catch (error) {
      // Whole entries of it may stand in the file, and their numbers are given to others.
      this.#generation += 1;
      throw error;
    }
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

/**
 * `identity` is the database's, and `last` the number of the newest entry that is in it; what the files hold is no longer needed.
 */
export const openRedoLog = (directory: string, identity: number, last: number, turnBytes = TURN_BYTES): RedoLog =>
  new FileRedoLog(directory, identity, last, turnBytes);
