import { crc32 } from 'node:zlib';

/** Magic, checksum of all that follows, length of the content, number of the entry (8 bytes), generation, identity (6 bytes). */
const HEAD_BYTES = 30;
const MAGIC = 0x464c5246;
const MAGIC_BYTES = Buffer.from('FRLF');

export interface RedoLogEntry {
  /** Consecutive over the life of the directory. */
  readonly number: number;
  readonly content: Uint8Array;
}

export interface StoredEntry extends RedoLogEntry {
  /** Grows with each opening of the journal and each failed write: an entry of an older generation does not continue a newer one. */
  readonly generation: number;
  /** Identity of its database. */
  readonly identity: number;
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

/** The entry at the offset, or null where none is whole. */
function entryAt(bytes: Buffer, offset: number): StoredEntry | null {
  const start = offset + HEAD_BYTES;
  if (start > bytes.length || bytes.readUInt32LE(offset) !== MAGIC) return null;
  const end = start + bytes.readUInt32LE(offset + 8);
  if (end > bytes.length) return null;
  const content = bytes.subarray(start, end);
  if (crc32(content, crc32(bytes.subarray(offset + 8, start))) !== bytes.readUInt32LE(offset + 4)) return null;
  const number = Number(bytes.readBigUInt64LE(offset + 12));
  return {
    number,
    generation: bytes.readUInt32LE(offset + 20),
    identity: bytes.readUIntLE(offset + 24, 6),
    content,
    end,
  };
}

/** True if the entry was written after `before`, and is not a remnant of an earlier use of the file. */
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
  const nextFrom = (from: number): number => bytes.indexOf(MAGIC_BYTES, from);
  for (let at = nextFrom(offset), looks = 0; at >= 0 && looks < MAX_LOOKS; looks++) {
    const entry = entryAt(bytes, at);
    if (entry !== null && follows(entry, found.at(-1) ?? last)) found.push(entry);
    at = nextFrom(entry?.end ?? at + 1);
  }
  return found;
}
