import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { goneAt, REPORT_KINDS, type Report, type ReportFile } from '#features/reports/rules/report.ts';

/** Size of a part in bytes. Its record has about 170 KB, written in less than a millisecond of this thread. */
const CHUNK_BYTES = 128 * 1_024;

interface FileChunk {
  /** Base64. */
  readonly data: string;
}

/** The attempt is part of the ID, so that parts of different attempts are never mixed. */
const chunkId = ({ id }: Pick<Report, 'id'>, turn: number, n: number): string =>
  `${id}/${turn}/${String(n).padStart(4, '0')}`;

interface StoredFile extends Pick<ReportFile, 'turn'> {
  readonly report: Report;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** Stores a file in parts, until `signal` is aborted. */
export async function storeFile(
  { records, clock }: Pick<Ports, 'records' | 'clock'>,
  tenant: string,
  { report, turn, bytes, signal }: StoredFile,
): Promise<ReportFile> {
  const expiresAt = goneAt({ ...report, completedAt: clock.now() });
  let chunks = 0;
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    signal.throwIfAborted();
    const data = Buffer.from(bytes.subarray(from, from + CHUNK_BYTES)).toString('base64');
    await records.put<FileChunk>(tenant, REPORT_KINDS.chunk, chunkId(report, turn, chunks), { data }, { expiresAt });
    chunks += 1;
  }
  return { turn, chunks, bytes: bytes.length };
}

/** Removes the parts of a file; parts of interrupted attempts expire. */
export async function dropFile(
  records: RecordStore,
  tenant: string,
  report: Pick<Report, 'id'>,
  file: Pick<ReportFile, 'turn' | 'chunks'>,
): Promise<void> {
  for (let n = 0; n < file.chunks; n++) await records.remove(tenant, REPORT_KINDS.chunk, chunkId(report, file.turn, n));
}

/** Returns one part; null if the file is deleted. */
export async function readChunk(
  records: RecordStore,
  tenant: string,
  report: Pick<Report, 'id'>,
  { turn, n }: { readonly turn: number; readonly n: number },
): Promise<Uint8Array | null> {
  const stored = await records.get<FileChunk>(tenant, REPORT_KINDS.chunk, chunkId(report, turn, n));
  return stored && Buffer.from(stored.body.data, 'base64');
}
