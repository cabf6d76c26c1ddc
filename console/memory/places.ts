/** The row of each list that had the focus last, so that a list is found again as it was left. */
export interface Places {
  /** Null: none yet. */
  readonly of: (list: string) => string | null;
  readonly set: (list: string, id: string | null) => void;
}

export const openPlaces = (): Places => {
  const places = new Map<string, string | null>();
  return { of: (list) => places.get(list) ?? null, set: (list, id) => void places.set(list, id) };
};
