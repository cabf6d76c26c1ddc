import type { SearchKind, SearchRef } from '#domain/search/document.ts';

/** A vector of length 1 in one byte per dimension; products of two differ from the true ones by some thousandths. */
export type PackedVector = Int8Array;

const STEPS = 127;
const packedScale = (vector: readonly number[]): number => Math.max(...vector.map(Math.abs)) || 1;

export const packed = (vector: readonly number[]): PackedVector => {
  const scale = packedScale(vector);
  return Int8Array.from(vector, (one) => Math.round((one / scale) * STEPS));
};

const lengthOf = (vector: PackedVector): number => {
  let sum = 0;
  for (const one of vector) sum += one * one;
  return Math.sqrt(sum) || 1;
};

interface VectorEntry extends SearchRef {
  /** Hash of the embedded text. */
  readonly hash: string;
  readonly vector: PackedVector;
  readonly length: number;
}

export interface Near extends SearchRef {
  /** −1 to 1. */
  readonly likeness: number;
}

/** Standard deviations by which a document is more like a search than documents are on average. */
const BEYOND = 2;
/** Minimum number of documents for an average. */
const FEW = 20;
const MIN_LIKENESS = 0.3;

const keyOf = ({ kind, id }: SearchRef): string => `${kind} ${id}`;

/** The vectors of one tenant, all of one model. */
export class VectorSpace {
  readonly #known = new Map<string, VectorEntry>();

  get size(): number {
    return this.#known.size;
  }

  set(ref: SearchRef, hash: string, vector: PackedVector): void {
    const { kind, id } = ref;
    this.#known.set(keyOf(ref), { kind, id, hash, vector, length: lengthOf(vector) });
  }

  delete(ref: SearchRef): void {
    this.#known.delete(keyOf(ref));
  }

  /** True if it has the vector of exactly this text. */
  has(ref: SearchRef, hash: string): boolean {
    return this.#known.get(keyOf(ref))?.hash === hash;
  }

  *all(): IterableIterator<VectorEntry> {
    yield* this.#known.values();
  }

  /** Returns clearly similar documents, most alike first. */
  nearest(
    to: readonly number[],
    { kinds, limit }: { readonly kinds: readonly SearchKind[]; readonly limit: number },
  ): Near[] {
    const asked = packed(to);
    const length = lengthOf(asked);
    const wanted = new Set(kinds);
    const all: Near[] = [];
    let [sum, squares] = [0, 0];
    for (const one of this.#known.values()) {
      if (!wanted.has(one.kind) || one.vector.length !== asked.length) continue;
      let product = 0;
      for (let i = 0; i < asked.length; i++) product += asked[i]! * one.vector[i]!;
      const likeness = product / (length * one.length);
      sum += likeness;
      squares += likeness * likeness;
      all.push({ kind: one.kind, id: one.id, likeness });
    }
    const mean = sum / all.length;
    const deviation = Math.sqrt(Math.max(0, squares / all.length - mean * mean));
    const least = all.length < FEW ? MIN_LIKENESS : mean + BEYOND * deviation;
    return all
      .filter(({ likeness }) => likeness >= least)
      .sort((a, b) => b.likeness - a.likeness || (keyOf(a) < keyOf(b) ? -1 : 1))
      .slice(0, limit);
  }
}

/** The vectors of one tenant in a process; they are stored as records. */
export interface OpenSpace {
  readonly space: VectorSpace;
  /** The last record that was read. */
  last: string | null;
  /** Entries that were read, replaced ones too. */
  entries: number;
  /** Time of the last full check, ms; 0: never. */
  lookedAt: number;
}
