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
import { DATABASE_FILE, syncDirectory } from '#infra/embedded/sqlite/data-directory.ts';
import { StorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { entriesBehind, entriesIn, follows, headOf, type StoredEntry } from './redo-log-entries.ts';

/** While the entries of one file are being applied, new entries go to the other. */
export const REDO_FILES = ['faultline.redo', 'faultline.redo2'] as const;
/** Size from which the journal changes to the other file as soon as it is free. */
const ROTATE_BYTES = 16 * 1024 * 1024;

/**
 * Entries that are not in the database yet, durable by one small sequential write. Many batches share one commit, no batch waits for it,
 * and each survives a loss of power before it.
 */
export interface RedoLogFile {
  /** Returns the number of the first entry when all are on disk. Throws StorageFailure otherwise: then none is acknowledged, and a kill before the next append may still bring some of them back. */
  append(contents: readonly Uint8Array[]): number;
  /** Entries through this number are in the database: their space may be overwritten. */
  release(through: number): void;
  close(): void;
}

/** Valid entries behind an invalid one: acknowledged changes are lost, unless a loss of power cut a write off. */
export interface Damage {
  /** Number of the first lost entry. */
  readonly lost: number;
  /** Numbers of the first and the last valid entry behind it; they cannot be applied without the lost ones. */
  readonly behind: readonly [first: number, last: number];
}

export interface RedoLogEntries {
  /** Entries without a gap, from the requested number on. */
  readonly entries: readonly StoredEntry[];
  readonly damage: Damage | null;
}

const bytesOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));

interface File {
  readonly entries: readonly StoredEntry[];
  /** Newer valid entries behind damaged bytes. */
  readonly behind: readonly StoredEntry[];
  /** True if there are bytes behind the entries: damaged ones, or remnants of an earlier use of the file. */
  readonly hasMore: boolean;
}

function readFile(path: string): File {
  const bytes = bytesOf(path);
  const entries = entriesIn(bytes);
  const end = entries.at(-1)?.end ?? 0;
  return { entries, behind: entriesBehind(bytes, end, entries.at(-1)), hasMore: end < bytes.length };
}

/** Entries by number. Of several with the same number the newest counts: failed writes may have left the others. */
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
    `The redo log in ${directory} begins with batch ${first}, but ${DATABASE_FILE} ends with batch ${after}. The files don't match, for example because an older ${DATABASE_FILE} was restored without its redo files. Restore files from the same backup, or move ${REDO_FILES.join(' and ')} away to start without the changes stored only in them.`,
  );

const otherDatabase = (directory: string): Error =>
  new Error(
    `The redo log in ${directory} belongs to a different database than ${DATABASE_FILE}, for example because one of them was copied from another server. Restore the files of one server, or move ${REDO_FILES.join(' and ')} away to start without the changes stored only in them.`,
  );

/** Throws when there is a journal, damaged or not: a database without tables has none. */
export function assertNoRedoLog(directory: string): void {
  const { entries, damage } = readRedoLog(directory, null, 0);
  if (entries.length > 0 || damage !== null) throw otherDatabase(directory);
}

/** Ignores entries behind damage: the content of an event may look like an entry there. */
const isOfAnother = (files: readonly File[], identity: number | null): boolean =>
  files.some(({ entries }) => entries.some((entry) => entry.identity !== identity));

/** True if the next entry to read seems to be in the file: at its beginning, or behind the last applied one. */
const hidesNext = ({ entries, behind, hasMore }: File, after: number): boolean =>
  behind.some(({ number }) => number > after) || (hasMore && (entries.at(-1)?.number ?? after) === after);

/**
 * Reads the entries after this number. Throws when valid entries have another identity than the database (null: it has none
 * yet), or begin after a gap: then they were written for another database.
 */
export function readRedoLog(directory: string, identity: number | null, after: number): RedoLogEntries {
  const files = REDO_FILES.map((file) => readFile(join(directory, file)));
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
  const isBroken = files.some((file) => hidesNext(file, after));
  if (entries.length === 0 && beyond.length > 0 && !isBroken) throw headGap(directory, after, Math.min(...beyond));
  const damage = beyond.length === 0 ? null : ({ lost, behind: [Math.min(...beyond), Math.max(...beyond)] } as const);
  return { entries, damage };
}

/** Returns a generation above all in the files. */
const nextGeneration = (directory: string): number => {
  const stored = REDO_FILES.flatMap((file) => entriesIn(bytesOf(join(directory, file))));
  return stored.reduce((highest, { generation }) => Math.max(highest, generation), 0) + 1;
};

const exists = (directory: string, file: string): boolean => existsSync(join(directory, file));

/** Each damage at the same number sets aside another copy of the files; the first copy has no number in its names. */
const asideOf = (file: string, { lost }: Damage, copy: number): string =>
  copy === 1 ? `${file}.${lost}.damaged` : `${file}.${lost}.${copy}.damaged`;

/** The first copy, from this one on, under whose names no file would be overwritten. */
export function freeCopy(directory: string, damage: Damage, from = 1): number {
  let copy = from;
  const isTaken = (file: string): boolean => exists(directory, file) && exists(directory, asideOf(file, damage, copy));
  while (REDO_FILES.some(isTaken)) copy += 1;
  return copy;
}

/**
 * Renames the files of a damaged journal, so that nothing overwrites them, after `told` has received their new names.
 * Must be called again, with the same copy, when the process was killed before it ended.
 */
export function setRedoLogAside(
  directory: string,
  damage: Damage & { readonly copy: number },
  told: (files: readonly string[]) => void,
): void {
  const copy = freeCopy(directory, damage, damage.copy);
  const files = REDO_FILES.map((file) => ({ file, aside: asideOf(file, damage, copy) }));
  const there = files.filter(({ file, aside }) => exists(directory, file) || exists(directory, aside));
  told(there.map(({ aside }) => aside));
  for (const { file, aside } of files)
    if (exists(directory, file)) renameSync(join(directory, file), join(directory, aside));
  syncDirectory(directory);
}

export function removeRedoLog(directory: string): void {
  for (const file of REDO_FILES) rmSync(join(directory, file), { force: true });
}

interface OpenFile {
  readonly descriptor: number;
  /** True if the file system counts links: then a file without links has been deleted. */
  readonly isCounted: boolean;
  bytes: number;
  /** Number of the newest entry written there. */
  last: number;
}

const hasName = (descriptor: number): boolean => fstatSync(descriptor).nlink > 0;

function openFile(path: string): OpenFile {
  // O_DSYNC: each write is on disk when it returns, without a second call.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC, 0o600);
  return { descriptor, isCounted: hasName(descriptor), bytes: 0, last: 0 };
}

class RotatingRedoLog implements RedoLogFile {
  #current: OpenFile;
  #other: OpenFile;
  #last: number;
  #released: number;
  /** Generation of the next entries. */
  #generation: number;
  readonly #identity: number;
  readonly #rotateBytes: number;

  constructor(directory: string, identity: number, last: number, rotateBytes: number) {
    this.#identity = identity;
    this.#generation = nextGeneration(directory);
    [this.#current, this.#other] = REDO_FILES.map((file) => openFile(join(directory, file))) as [OpenFile, OpenFile];
    syncDirectory(directory);
    this.#last = this.#released = last;
    this.#rotateBytes = rotateBytes;
  }

  append(contents: readonly Uint8Array[]): number {
    const first = this.#last + 1;
    const headFor = (content: Uint8Array, index: number) =>
      headOf(first + index, this.#generation, this.#identity, content);
    const buffers = contents.flatMap((content, index) => [headFor(content, index), content]);
    const place = this.#fileForMore();
    try {
      place.bytes += write(place, buffers);
    } catch (error) {
      // The file may have valid entries of this write, and other entries get their numbers.
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
    for (const { descriptor } of [this.#current, this.#other]) closeSync(descriptor);
  }

  #fileForMore(): OpenFile {
    const isFree = ({ last }: OpenFile) => last <= this.#released;
    if (!isFree(this.#current)) {
      if (this.#current.bytes < this.#rotateBytes || !isFree(this.#other)) return this.#current;
      [this.#current, this.#other] = [this.#other, this.#current];
    }
    this.#current.bytes = 0;
    return this.#current;
  }
}

/** Writes to a deleted file succeed and are lost. */
const isGone = ({ descriptor, isCounted }: OpenFile): boolean => isCounted && !hasName(descriptor);

function write(place: OpenFile, buffers: readonly Uint8Array[]): number {
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  let written: number;
  try {
    if (isGone(place)) throw new Error('the redo log was deleted: restart the server when its data directory is back');
    written = writevSync(place.descriptor, buffers, place.bytes);
  } catch (error) {
    throw new StorageFailure((error as Error).message);
  }
  if (written < length) throw new StorageFailure('the disk is full');
  return length;
}

/**
 * `identity`: that of the database; `last`: number of its newest applied entry. The current contents of the files are no longer needed.
 */
export const openRedoLogFile = (
  directory: string,
  identity: number,
  last: number,
  rotateBytes = ROTATE_BYTES,
): RedoLogFile => new RotatingRedoLog(directory, identity, last, rotateBytes);
