import type { SearchRef } from '#domain/search/document.ts';

/** Reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009): damping constant for better places. */
const K = 60;

export interface Fused extends SearchRef {
  readonly score: number;
}

/** One ranking of several, each best first: Σ 1/(60 + place). */
export function fuse(...rankings: readonly (readonly SearchRef[])[]): Fused[] {
  const scores = new Map<string, { readonly ref: SearchRef; score: number }>();
  for (const ranking of rankings)
    for (const [place, ref] of ranking.entries()) {
      const key = `${ref.kind} ${ref.id}`;
      const known = scores.get(key) ?? { ref, score: 0 };
      known.score += 1 / (K + place + 1);
      scores.set(key, known);
    }
  return [...scores.values()]
    .map(({ ref: { kind, id }, score }) => ({ kind, id, score }))
    .sort((a, b) => b.score - a.score);
}
