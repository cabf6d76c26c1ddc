import { forgetOldest } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchKind, SearchRef } from '#domain/search/document.ts';
import { type OpenSpace, type PackedVector, VectorSpace } from '#features/search/rules/vector-space.ts';

/** Vectors of a tenant in the order of creation, so that a restart does not compute them again. */
const KIND = 'search-vectors';
const PER_RECORD = 64;
/** Records read at once, of some 25 KB. */
const PAGE = 100;
/** Limits in memory, over all tenants; the least recently used ones leave, and are read again on demand. */
const MAX_TENANTS = 50;
const MAX_VECTORS = 400_000;

/** Vectors of tenants that were searched lately. */
export const SPACES: MemorySlot<Map<string, OpenSpace>> = { name: 'search-spaces', open: () => new Map() };

type ChunkEntry = readonly [kind: SearchKind, id: string, hash: string, vector: string];
interface VectorChunk {
  readonly model: string;
  readonly entries: readonly ChunkEntry[];
}

export interface NewVector {
  readonly ref: SearchRef;
  readonly hash: string;
  readonly vector: PackedVector;
}

type VectorPorts = Pick<Ports, 'records' | 'memory' | 'ids' | 'embedder'>;

const textOf = (vector: PackedVector): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
const vectorOf = (text: string): PackedVector => Int8Array.from(Buffer.from(text, 'base64'));

const take = (open: OpenSpace, { entries }: VectorChunk): void => {
  for (const [kind, id, hash, vector] of entries) open.space.set({ kind, id }, hash, vectorOf(vector));
  open.entries += entries.length;
};

const sizeOf = (spaces: ReadonlyMap<string, OpenSpace>): number =>
  [...spaces.values()].reduce((sum, { space }) => sum + space.size, 0);

/** The tenant that was asked for last stays last. */
const remember = ({ memory }: VectorPorts, tenant: string, open: OpenSpace): void => {
  const spaces = memory.of(SPACES);
  spaces.delete(tenant);
  spaces.set(tenant, open);
  while (spaces.size > 1 && (spaces.size > MAX_TENANTS || sizeOf(spaces) > MAX_VECTORS)) forgetOldest(spaces);
};

/** Returns the vectors of a tenant with the additions of other processes. */
export async function openSpace(needed: VectorPorts, tenant: string): Promise<OpenSpace> {
  const { records, memory, embedder } = needed;
  const open = memory.of(SPACES).get(tenant) ?? { space: new VectorSpace(), last: null, entries: 0, lookedAt: 0 };
  for (;;) {
    const options = { limit: PAGE, ...(open.last !== null && { after: open.last }) };
    const page = await records.list<VectorChunk>(tenant, KIND, options);
    for (const { id, body } of page) {
      if (open.last !== null && id <= open.last) continue;
      if (body.model === embedder?.model) take(open, body);
      open.last = id;
    }
    if (page.length < PAGE) break;
  }
  remember(needed, tenant, open);
  return open;
}

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** Stores vectors; they are durable when it resolves, and in memory after the next read of the log. */
export async function appendVectors(
  { records, ids, embedder }: VectorPorts,
  tenant: string,
  vectors: readonly NewVector[],
): Promise<void> {
  for (const part of inParts(vectors, PER_RECORD)) {
    const entries = part.map(({ ref: { kind, id }, hash, vector }): ChunkEntry => [kind, id, hash, textOf(vector)]);
    await records.put<VectorChunk>(tenant, KIND, ids.ulid(), { model: embedder?.model ?? '', entries });
  }
}

/** A log with more than twice as many entries as vectors is rewritten, and the old entries are removed. */
const SLACK = 500;

export async function compactVectors(needed: VectorPorts, tenant: string, open: OpenSpace): Promise<void> {
  if (open.entries <= 2 * open.space.size + SLACK || open.last === null) return;
  const end = open.last;
  await appendVectors(
    needed,
    tenant,
    [...open.space.all()].map(({ kind, id, hash, vector }) => ({ ref: { kind, id }, hash, vector })),
  );
  for (;;) {
    const page = await needed.records.list<VectorChunk>(tenant, KIND, { limit: PAGE });
    const old = page.filter(({ id }) => id <= end);
    for (const { id } of old) await needed.records.remove(tenant, KIND, id);
    if (old.length < PAGE) break;
  }
  open.entries = 0;
}
