/** Columns of a list that can be shown or hidden. */
export interface ColumnChoice {
  readonly id: string;
  readonly title: string;
  /** Hidden by default. */
  readonly isExtra?: boolean;
  /** Always shown: without it a row cannot be identified. */
  readonly isFixed?: boolean;
}

/** Returns ids in the order of display: chosen and required columns. */
export const shownOf = (choices: readonly ColumnChoice[], chosen: readonly string[] | undefined): readonly string[] => {
  if (chosen === undefined) return choices.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
  const known = new Set(choices.map(({ id }) => id));
  const kept = [...new Set(chosen)].filter((id) => known.has(id));
  const missing = choices.filter(({ id, isFixed }) => isFixed && !kept.includes(id)).map(({ id }) => id);
  return [...missing, ...kept];
};

/** Returns the choices as listed in the menu: shown ones in their order, then the rest. */
export const listed = (choices: readonly ColumnChoice[], shown: readonly string[]): readonly ColumnChoice[] => {
  const at = (id: string): number => (shown.includes(id) ? shown.indexOf(id) : shown.length);
  return choices.toSorted((a, b) => at(a.id) - at(b.id));
};

export const switchedColumn = (shown: readonly string[], id: string): readonly string[] =>
  shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];

/** One place earlier (-1) or later (1); at the end nothing changes. */
export const movedColumn = (shown: readonly string[], id: string, by: -1 | 1): readonly string[] => {
  const [at, to] = [shown.indexOf(id), shown.indexOf(id) + by];
  if (at < 0 || to < 0 || to >= shown.length) return shown;
  return shown.map((one, place) => (place === at ? (shown[to] as string) : place === to ? id : one));
};
