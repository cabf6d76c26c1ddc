import { type FacetCount, MAX_FACET_VALUES } from '#domain/ports/events/event-summaries.ts';

/** Returns values in the order of the port, repeated ones as one; null: it has no name. */
export function topFacets(found: readonly (readonly [string | null, number])[]): FacetCount[] {
  const counts = new Map<string, number>();
  for (const [value, count] of found) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}
