import { number } from '#console/words/counts.ts';

/** How often something came; once says nothing. */
export function Times({ count }: { readonly count: number }) {
  return count > 1 ? <span title={`${number(count)} occurrences`}>×{number(count)}</span> : null;
}
