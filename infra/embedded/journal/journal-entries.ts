import { crc32 } from 'node:zlib';

/** Magic, checksum of all that follows, length of the content, number of the entry (8 bytes), generation, identity (6 bytes). */
const HEAD_BYTES = 30;
const MAGIC = 0x464c5246;
/** Format before databases had an identity. */
const HEAD_BYTES_2 = 24;
const MAGIC_2 = 0x464c5245;
/** Format before there were generations. */
const HEAD_BYTES_1 = 20;
const MAGIC_1 = 0x464c5244;
/** The magic bytes of all three formats end like this. */
const MAGIC_END = Buffer.from('RLF');

export interface JournalEntry {
  /** Consecutive over the life of the directory. */
  readonly number: number;
  readonly content: Uint8Array;
}

export interface StoredEntry extends JournalEntry {
  /** Grows with each opening of the journal and each failed write: an entry of an older generation does not continue a newer one. */
  readonly generation: number;
  /** Identity of its database; null in older formats. */
  readonly identity: number | null;
  /** Offset of its end in the file. */
  readonly end: number;
}

export const headOf = (number: number, generation: number, identity: number, content: Uint8Array): Buffer => {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(content.length, 8);
  head.writeBigUInt64LE(BigInt(number), 12);
  head.writeUInt32LE(generation, 20);
  head.writeUIntLE(identity, 24, 6);
  head.writeUInt32LE(crc32(content, crc32(head.subarray(8))), 4);
  return head;
};

const HEADS: ReadonlyMap<number, number> = new Map([
  [MAGIC, HEAD_BYTES],
  [MAGIC_2, HEAD_BYTES_2],
  [MAGIC_1, HEAD_BYTES_1],
]);

/** The entry at the offset, or null where none is whole. */
function entryAt(bytes: Buffer, offset: number): StoredEntry | null {
  if (bytes.length - offset < HEAD_BYTES_1) return null;
  const headBytes = HEADS.get(bytes.readUInt32LE(offset));
  const start = offset + (headBytes ?? 0);
  if (headBytes === undefined || start > bytes.length) return null;
  const end = start + bytes.readUInt32LE(offset + 8);
  if (end > bytes.length) return null;
  const content = bytes.subarray(start, end);
  if (crc32(content, crc32(bytes.subarray(offset + 8, start))) !== bytes.readUInt32LE(offset + 4)) return null;
  const number = Number(bytes.readBigUInt64LE(offset + 12));
  const generation = headBytes === HEAD_BYTES_1 ? 0 : bytes.readUInt32LE(offset + 20);
  const identity = headBytes === HEAD_BYTES ? bytes.readUIntLE(offset + 24, 6) : null;
  return { number, generation, identity, content, end };
}

/** Whether the entry was written after `before`, and is not a remnant of an earlier use of the file. */
export const follows = (entry: StoredEntry, before: StoredEntry | undefined): boolean =>
  before === undefined || (entry.number > before.number && entry.generation >= before.generation);

/** The entries from the beginning, up to the first that is not whole or is older than the one before it. */
export function entriesIn(bytes: Buffer): StoredEntry[] {
  const found: StoredEntry[] = [];
  for (let offset = 0; ; ) {
    const entry = entryAt(bytes, offset);
    if (entry === null || !follows(entry, found.at(-1))) return found;
    found.push(entry);
    offset = entry.end;
  }
}

/** Each candidate costs a checksum, and contents may contain the magic bytes. */
const MAX_LOOKS = 10_000;

/** Valid entries after the offset that are newer than the last one read; if there are any, the bytes in between are damaged. */
export function entriesBehind(bytes: Buffer, offset: number, last: StoredEntry | undefined): StoredEntry[] {
  const found: StoredEntry[] = [];
  const nextFrom = (from: number): number => bytes.indexOf(MAGIC_END, from + 1) - 1;
  for (let at = nextFrom(offset), looks = 0; at >= 0 && looks < MAX_LOOKS; looks++) {
    const entry = entryAt(bytes, at);
    if (entry !== null && follows(entry, found.at(-1) ?? last)) found.push(entry);
    at = nextFrom(entry?.end ?? at + 1);
  }
  return found;
}
