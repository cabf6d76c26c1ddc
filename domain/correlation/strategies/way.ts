import type { NearCi } from '../records.ts';

/** The CIs on a shortest way, both ends included, read off the `via` pointers; empty when there is none. */
export function wayTo(from: string | null, to: string | null, near: readonly NearCi[]): string[] {
  if (from === null || to === null) return [];
  const way: string[] = [];
  let at: string | null = to;
  while (at !== null && at !== from) {
    if (way.length > near.length) return [];
    way.unshift(at);
    const step: NearCi | undefined = near.find(({ ci }) => ci === at);
    if (step === undefined) return [];
    at = step.via;
  }
  return [from, ...way];
}
