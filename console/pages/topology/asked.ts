const isOneOf = <T extends string>(known: readonly T[], text: string | undefined): text is T =>
  (known as readonly (string | undefined)[]).includes(text);

export const MODES = ['around', 'impact', 'way'] as const;
export type Mode = (typeof MODES)[number];
export const DIRECTIONS = ['both', 'up', 'down'] as const;
export type MapDirection = (typeof DIRECTIONS)[number];

export const MAX_HOPS = 3;
/** Initial and extended number of CIs of a map. */
export const FEW = 250;
export const MANY = 400;

/** The request of the address to the map. */
export interface MapQuestion {
  readonly mode: Mode;
  /** Ids of the CIs that the map is about; several fail together. */
  readonly cis: readonly string[];
  readonly to: string | null;
  readonly hops: number;
  readonly direction: MapDirection;
  /** Types of relationships; none: all. */
  readonly types: readonly string[];
  /** ISO 8601; null is now. */
  readonly at: string | null;
  readonly limit: number;
}

/** The page's own in the address. */
export const MAP_KNOWN = ['mode', 'ci', 'to', 'hops', 'direction', 'types', 'at', 'more', 'chosen'] as const;

const wholeIn = (text: string | undefined, least: number, most: number, otherwise: number): number => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : otherwise;
};

const listed = (text = ''): string[] => text.split(',').filter((word) => word !== '');

export const askedMap = (query: Readonly<Record<string, string>>): MapQuestion => ({
  mode: isOneOf(MODES, query.mode) ? query.mode : 'around',
  cis: listed(query.ci),
  to: query.to ?? null,
  hops: wholeIn(query.hops, 1, MAX_HOPS, 2),
  direction: isOneOf(DIRECTIONS, query.direction) ? query.direction : 'both',
  types: listed(query.types),
  at: query.at !== undefined && !Number.isNaN(Date.parse(query.at)) ? query.at : null,
  limit: query.more === undefined ? FEW : MANY,
});
