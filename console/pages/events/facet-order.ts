import { SEVERITIES } from '#domain/event/event.ts';

const rankOf = (value: string): number => {
  const rank = (SEVERITIES as readonly string[]).indexOf(value);
  return rank < 0 ? SEVERITIES.length : rank;
};

/** Values of a facet as they are listed: severities have an order of their own, all others the one of their counts. */
export const inFacetOrder = <V extends { readonly value: string }>(
  facet: string,
  values: readonly V[],
): readonly V[] => (facet === 'severity' ? values.toSorted((a, b) => rankOf(a.value) - rankOf(b.value)) : values);
