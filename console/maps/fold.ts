import { count, plain } from '#console/text/counts.ts';
import type { Drawing, DrawnNode } from './drawn.ts';

/** A map has at most this many shapes, as far as folding allows, however much room it has. */
export const MAX_SHAPES = 60;
/** Smaller maps need no folding. */
const FEW = 16;

interface FoldLevel {
  /** CIs that are worth a fold. */
  readonly least: number;
  readonly byType: boolean;
  /** Folds CIs with the same dependencies also if leaves depend on them. */
  readonly withParents: boolean;
}
const LEVELS: readonly FoldLevel[] = [
  { least: 4, byType: true, withParents: false },
  { least: 2, byType: true, withParents: false },
  { least: 2, byType: false, withParents: false },
  { least: 2, byType: false, withParents: true },
];

const PREFIX = 'fold:';
export const isFold = (id: string): boolean => id.startsWith(PREFIX);

export interface FoldedDrawing extends Drawing {
  /** Id of the fold of each CI that is in one. */
  readonly foldOf: ReadonlyMap<string, string>;
}

const DOWN = '>';
const UP = '<';

/** Neighbors of the nodes at the ends of the map: their dependencies, or their dependents. */
const endsOf = ({ nodes, edges }: Drawing): ReadonlyMap<string, readonly string[]> => {
  const below = Map.groupBy(edges, ({ target }) => target);
  const above = Map.groupBy(edges, ({ source }) => source);
  const fixed = fixedIn({ nodes, edges });
  return new Map(
    nodes.flatMap(({ id }) => {
      const [on, by] = [above.get(id) ?? [], below.get(id) ?? []];
      if (fixed.has(id) || (on.length === 0) === (by.length === 0)) return [];
      const others = on.length > 0 ? on.map(({ target }) => target) : by.map(({ source }) => source);
      return [[id, [on.length > 0 ? DOWN : UP, ...new Set(others.sort())]] as const];
    }),
  );
};

/** Nodes that always stand alone. */
const fixedIn = ({ nodes, edges }: Drawing): ReadonlySet<string> =>
  new Set([
    ...nodes.flatMap(({ id, role }) => (role === 'cause' ? [id] : [])),
    ...edges.flatMap(({ source, target, proposal }) => (proposal === undefined ? [] : [source, target])),
  ]);

/** Dependencies of the nodes on which only leaves depend. */
const parentsOf = (drawing: Drawing): ReadonlyMap<string, readonly string[]> => {
  const ends = endsOf(drawing);
  const fixed = fixedIn(drawing);
  const needs = Map.groupBy(drawing.edges, ({ source }) => source);
  const below = Map.groupBy(drawing.edges, ({ target }) => target);
  return new Map(
    drawing.nodes.flatMap(({ id }) => {
      const on = (needs.get(id) ?? []).map(({ target }) => target);
      const isParent = below.get(id)?.every(({ source }) => ends.has(source)) ?? false;
      return isParent && on.length > 0 && !fixed.has(id) ? [[id, ['=', ...new Set(on.sort())]] as const] : [];
    }),
  );
};

/** Nodes at the ends of the map with the same neighbors, the largest fan first. */
export const fansOf = (drawing: Drawing): readonly (readonly string[])[] => {
  const fans = Map.groupBy(endsOf(drawing), ([, on]) => on.join(' '));
  return [...fans.values()].map((fan) => fan.map(([id]) => id)).sort((a, b) => b.length - a.length);
};

const keyOf = ({ role, worst, state, type }: DrawnNode, on: readonly string[], byType: boolean): string =>
  [PREFIX, role, worst ?? '', state ?? '', byType ? type : '', ...on].join(' ');

const foldNode = (id: string, members: readonly DrawnNode[], isCut: boolean): DrawnNode => {
  const [first] = members;
  const types = new Set(members.map(({ type }) => type));
  const noun =
    types.size === 1 ? plain(first?.type ?? '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) : 'CI';
  const sum = (of: (node: DrawnNode) => number): number => members.reduce((all, node) => all + of(node), 0);
  return {
    id,
    // Further ones were not read.
    name: count(members.length, noun).replace(/^\S+/, (total) => (isCut ? `${total}+` : total)),
    type: first?.type ?? '',
    role: first?.role ?? 'plain',
    worst: first?.worst ?? null,
    open: sum(({ open }) => open),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    ...(first?.state !== undefined && { state: first.state }),
  };
};

interface FoldChoice extends Pick<FoldLevel, 'least' | 'byType'> {
  readonly opened: ReadonlySet<string>;
}
/** Folds nodes that look the same and have the same neighbors; only those in `neighbors`. */
const merged = (
  drawing: Drawing,
  neighbors: ReadonlyMap<string, readonly string[]>,
  { least, byType, opened }: FoldChoice,
): FoldedDrawing => {
  const folds = Map.groupBy(
    drawing.nodes.filter(({ id }) => neighbors.has(id)),
    (node) => keyOf(node, neighbors.get(node.id) ?? [], byType),
  );
  const kept = [...folds].filter(([key, members]) => members.length >= least && !opened.has(key));
  const foldOf = new Map(kept.flatMap(([key, members]) => members.map(({ id }) => [id, key] as const)));
  const drawn = new Map<string, Drawing['edges'][number]>();
  for (const edge of drawing.edges) {
    const [source, target] = [foldOf.get(edge.source) ?? edge.source, foldOf.get(edge.target) ?? edge.target];
    const isSame = source === edge.source && target === edge.target;
    const key = isSame ? JSON.stringify(edge) : `${source} ${target}`;
    if (!drawn.has(key)) drawn.set(key, { ...edge, source, target });
  }
  return {
    nodes: [
      ...drawing.nodes.filter(({ id }) => !foldOf.has(id)),
      ...kept.map(([key, members]) => foldNode(key, members, drawing.isCut === true)),
    ],
    edges: [...drawn.values()],
    foldOf,
  };
};

const foldAt = (drawing: Drawing, opened: ReadonlySet<string>, level: FoldLevel): FoldedDrawing => {
  const { isCut = false } = drawing;
  const parents = level.withParents
    ? merged(drawing, parentsOf(drawing), { least: 2, byType: true, opened })
    : { ...drawing, foldOf: new Map<string, string>() };
  const whole = merged({ ...parents, isCut }, endsOf(parents), { ...level, opened });
  return { ...whole, foldOf: new Map([...parents.foldOf, ...whole.foldOf]) };
};

/**
 * Replaces CIs at the ends of the map that have the same neighbors and state by one node; more of them where the map
 * would have more than `most` shapes. `opened`: folds that are shown as their CIs.
 */
export const folded = (drawing: Drawing, opened: ReadonlySet<string>, most = MAX_SHAPES): FoldedDrawing => {
  if (drawing.nodes.length <= FEW) return { ...drawing, foldOf: new Map() };
  const closed: ReadonlySet<string> = new Set();
  const level = LEVELS.find((one) => foldAt(drawing, closed, one).nodes.length <= most) ?? LEVELS.at(-1);
  return level === undefined ? { ...drawing, foldOf: new Map() } : foldAt(drawing, opened, level);
};
