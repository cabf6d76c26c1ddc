import { itemAt } from '#domain/assert.ts';
import type { Drawing, DrawnNode } from './drawn.ts';
import * as text from './texts.ts';

export interface TreeRow {
  readonly node: DrawnNode;
  readonly depth: number;
  /** Name of the relationship to this row; null for the first row and for unreachable ones. */
  readonly by: string | null;
  /** Rows below this one, at any depth. */
  readonly below: number;
}

/**
 * The map as a list: from `start` along its dependents, each node once, by the shortest path; then unconnected ones.
 */
export const treeOf = ({ nodes, edges }: Drawing, start: string | null): TreeRow[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = Map.groupBy(edges, ({ target }) => target);
  const depths = new Map<string, number>();
  const parents = new Map<string, { readonly id: string; readonly by: string }>();
  const first = start !== null && byId.has(start) ? start : (nodes[0]?.id ?? null);
  const queue = first === null ? [] : [first];
  if (first !== null) depths.set(first, 0);
  for (const id of queue) {
    for (const { source, type, isFromAi, proposal } of below.get(id) ?? []) {
      if (depths.has(source) || !byId.has(source) || proposal !== undefined) continue;
      depths.set(source, (depths.get(id) ?? 0) + 1);
      parents.set(source, { id, by: `${type.replaceAll('_', ' ')}${isFromAi ? ` ${text.proposedByAi}` : ''}` });
      queue.push(source);
    }
  }
  const children = Map.groupBy(parents, ([, parent]) => parent.id);
  const rows: TreeRow[] = [];
  const walk = (id: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const at = rows.push({ node, depth: depths.get(id) ?? 0, by: parents.get(id)?.by ?? null, below: 0 });
    for (const [child] of children.get(id) ?? []) walk(child);
    rows[at - 1] = { ...itemAt(rows, at - 1), below: rows.length - at };
  };
  if (first !== null) walk(first);
  for (const node of nodes) if (!depths.has(node.id)) rows.push({ node, depth: 0, by: null, below: 0 });
  return rows;
};

/** Number of rows above which a map initially shows only those near its start. */
const FEW_ROWS = 24;
const FIRST_DEPTH = 2;

export const isOpenAtFirst = (rows: readonly TreeRow[], { depth }: TreeRow): boolean =>
  rows.length <= FEW_ROWS || depth < FIRST_DEPTH;

/** Returns rows without those below collapsed ones. */
export const unfolded = (rows: readonly TreeRow[], isOpen: (row: TreeRow) => boolean): TreeRow[] => {
  const shown: TreeRow[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = itemAt(rows, at);
    shown.push(row);
    if (!isOpen(row)) at += row.below;
  }
  return shown;
};

/** Returns the rows above a node, without its own: they are expanded when it is selected on the map. */
export const above = (rows: readonly TreeRow[], id: string): string[] => {
  const place = rows.findIndex(({ node }) => node.id === id);
  return rows.slice(0, Math.max(0, place)).flatMap(({ node, below }, at) => (at + below >= place ? [node.id] : []));
};
