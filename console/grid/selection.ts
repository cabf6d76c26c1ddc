/** The selection in a list: ids, and the start of a range. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

export const toggled = ({ ids }: Selection, id: string): Selection => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
};

/** Selects from the anchor to `id`, in the order of the list, in addition to the selection. */
export const ranged = (selection: Selection, id: string, order: readonly string[]): Selection => {
  const [from, to] = [order.indexOf(selection.anchor ?? id), order.indexOf(id)];
  if (from < 0 || to < 0) return toggled(selection, id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor ?? id };
};

/** All of them, or none when all are selected already. */
export const allOrNone = ({ ids }: Selection, order: readonly string[]): Selection =>
  order.length > 0 && order.every((id) => ids.has(id)) ? NOTHING : { ids: new Set(order), anchor: null };

/** Returns the selection without rows that the list has lost. */
export const kept = (selection: Selection, order: readonly string[]): Selection => {
  const known = new Set(order);
  const ids = [...selection.ids].filter((id) => known.has(id));
  return ids.length === selection.ids.size ? selection : { ids: new Set(ids), anchor: selection.anchor };
};
