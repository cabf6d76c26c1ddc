import type { Drawing, DrawnNode } from './drawn.ts';

export interface TreeRow {
  readonly node: DrawnNode;
  readonly depth: number;
  /** Type of the relationship that leads here; null for the first row and for what no way leads to. */
  readonly by: string | null;
}

/** The map as a list: from `start` along what depends on it, each node once, by the shortest way; then what is not connected. */
export const treeOf = ({ nodes, edges }: Drawing, start: string | null): TreeRow[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = Map.groupBy(edges, ({ target }) => target);
  const depths = new Map<string, number>();
  const parents = new Map<string, { readonly id: string; readonly by: string }>();
  const first = start !== null && byId.has(start) ? start : (nodes[0]?.id ?? null);
  const queue = first === null ? [] : [first];
  if (first !== null) depths.set(first, 0);
  for (const id of queue) {
    for (const { source, type } of below.get(id) ?? []) {
      if (depths.has(source) || !byId.has(source)) continue;
      depths.set(source, (depths.get(id) ?? 0) + 1);
      parents.set(source, { id, by: type });
      queue.push(source);
    }
  }
  const children = Map.groupBy(parents, ([, parent]) => parent.id);
  const rows: TreeRow[] = [];
  const walk = (id: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    rows.push({ node, depth: depths.get(id) ?? 0, by: parents.get(id)?.by ?? null });
    for (const [child] of children.get(id) ?? []) walk(child);
  };
  if (first !== null) walk(first);
  for (const node of nodes) if (!depths.has(node.id)) rows.push({ node, depth: 0, by: null });
  return rows;
};
