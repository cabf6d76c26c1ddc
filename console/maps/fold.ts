import { count, plain } from '#console/text/counts.ts';
import type { Drawing, DrawnNode } from './drawn.ts';

/** A map has at most this many shapes, as far as folding allows. */
const MAX_SHAPES = 60;
/** Smaller maps need no folding. */
const FEW = 16;

interface FoldLevel {
  /** CIs that are worth a fold. */
  readonly least: number;
  readonly byType: boolean;
}
const LEVELS: readonly FoldLevel[] = [
  { least: 4, byType: true },
  { least: 2, byType: true },
  { least: 2, byType: false },
];

const PREFIX = 'fold:';
export const isFold = (id: string): boolean => id.startsWith(PREFIX);

export interface FoldedDrawing extends Drawing {
  /** Id of the fold of each CI that is in one. */
  readonly foldOf: ReadonlyMap<string, string>;
}

/** Dependencies of the nodes on which nothing depends. */
const leavesOf = ({ nodes, edges }: Drawing): ReadonlyMap<string, readonly string[]> => {
  const needed = new Set(edges.map(({ target }) => target));
  const needs = Map.groupBy(edges, ({ source }) => source);
  const proposed = new Set(
    edges.flatMap(({ source, target, proposal }) => (proposal === undefined ? [] : [source, target])),
  );
  return new Map(
    nodes.flatMap(({ id, role }) => {
      const on = needs.get(id) ?? [];
      const isLeaf = !needed.has(id) && on.length > 0 && role !== 'cause' && !proposed.has(id);
      return isLeaf ? [[id, [...new Set(on.map(({ target }) => target))].sort()] as const] : [];
    }),
  );
};

/** Leaves with the same dependencies, the largest fan first. */
export const fansOf = (drawing: Drawing): readonly (readonly string[])[] => {
  const fans = Map.groupBy(leavesOf(drawing), ([, on]) => on.join(' '));
  return [...fans.values()].map((fan) => fan.map(([id]) => id)).sort((a, b) => b.length - a.length);
};

const keyOf = ({ role, worst, type }: DrawnNode, on: readonly string[], { byType }: FoldLevel): string =>
  [PREFIX, role, worst ?? '', byType ? type : '', ...on].join(' ');

const foldNode = (id: string, members: readonly DrawnNode[]): DrawnNode => {
  const [first] = members;
  const types = new Set(members.map(({ type }) => type));
  const noun =
    types.size === 1 ? plain(first?.type ?? '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) : 'CI';
  const sum = (of: (node: DrawnNode) => number): number => members.reduce((all, node) => all + of(node), 0);
  return {
    id,
    name: count(members.length, noun),
    type: first?.type ?? '',
    role: first?.role ?? 'plain',
    worst: first?.worst ?? null,
    open: sum(({ open }) => open),
    acknowledged: sum(({ acknowledged }) => acknowledged),
  };
};

const foldAt = (drawing: Drawing, opened: ReadonlySet<string>, level: FoldLevel): FoldedDrawing => {
  const leaves = leavesOf(drawing);
  const folds = Map.groupBy(
    drawing.nodes.filter(({ id }) => leaves.has(id)),
    (node) => keyOf(node, leaves.get(node.id) ?? [], level),
  );
  const kept = [...folds].filter(([key, members]) => members.length >= level.least && !opened.has(key));
  const foldOf = new Map(kept.flatMap(([key, members]) => members.map(({ id }) => [id, key] as const)));
  const drawn = new Map<string, Drawing['edges'][number]>();
  for (const edge of drawing.edges) {
    const source = foldOf.get(edge.source) ?? edge.source;
    const key = source === edge.source ? JSON.stringify(edge) : `${source} ${edge.target}`;
    if (!drawn.has(key)) drawn.set(key, { ...edge, source });
  }
  return {
    nodes: [
      ...drawing.nodes.filter(({ id }) => !foldOf.has(id)),
      ...kept.map(([key, members]) => foldNode(key, members)),
    ],
    edges: [...drawn.values()],
    foldOf,
  };
};

/**
 * Replaces CIs on which nothing depends, and which have the same dependencies and state, by one node; more of them where
 * the map would have too many shapes. `opened`: folds that are shown as their CIs.
 */
export const folded = (drawing: Drawing, opened: ReadonlySet<string>): FoldedDrawing => {
  if (drawing.nodes.length <= FEW) return { ...drawing, foldOf: new Map() };
  const closed: ReadonlySet<string> = new Set();
  const level = LEVELS.find((one) => foldAt(drawing, closed, one).nodes.length <= MAX_SHAPES) ?? LEVELS.at(-1);
  return level === undefined ? { ...drawing, foldOf: new Map() } : foldAt(drawing, opened, level);
};
