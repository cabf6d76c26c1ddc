import type { States } from '#console/api/cmdb/cmdb.ts';
import type { ImpactData, NeighbourhoodData, Way } from '#console/api/cmdb/topology.ts';
import type { Drawing, DrawnNode } from '#console/maps/drawn.ts';
import { isFromAi } from '#domain/topology/topology.ts';
import * as text from './texts.ts';

/** A relationship: `source` depends on `target`. */
export type Edge = Drawing['edges'][number];
interface CiLabel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export const plainNode = ({ id, name, type }: CiLabel, role: DrawnNode['role'] = 'plain'): DrawnNode => ({
  id,
  name,
  type,
  role,
  worst: null,
  open: 0,
  acknowledged: 0,
});

/** Removes edges that lead out of the map, and duplicates. */
const within = (nodes: readonly DrawnNode[], edges: readonly Edge[]): Edge[] => {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = new Map(
    edges
      .filter(({ source, target }) => ids.has(source) && ids.has(target))
      .map((edge) => [`${edge.source} ${edge.target} ${edge.type}`, edge]),
  );
  return [...known.values()];
};

/** Returns the relationships of a neighborhood. */
export const edgesOf = ({ edges }: NeighbourhoodData): Edge[] =>
  edges.map(({ source, target, type, discovered_by }) => ({
    source,
    target,
    type,
    ...(isFromAi(discovered_by) && { isFromAi: true }),
  }));

export const drawnAround = (found: NeighbourhoodData): Drawing => {
  const { ci, nodes } = found;
  const drawn = [plainNode(ci), ...nodes.filter(({ id }) => id !== ci.id).map((node) => plainNode(node))];
  return { nodes: drawn, edges: within(drawn, edgesOf(found)) };
};

const leftOf = (groups: ImpactData['protected'][number]['groups']): string =>
  groups.map(({ surviving, members, required }) => text.ofAvailableRequired(surviving, members, required)).join('; ');

/** `known`: relationships around the failing CIs. A path without one is drawn as a dependency. */
export const drawnImpact = (impact: ImpactData, known: readonly Edge[]): Drawing => {
  const starts = impact.cis.map((ci) => plainNode(ci));
  const nodes = [
    ...starts,
    ...impact.impacted.map((ci) => plainNode(ci, 'impacted')),
    ...impact.protected.map((ci) => ({ ...plainNode(ci, 'protected'), saved: leftOf(ci.groups) })),
  ];
  const joined = new Set(known.map(({ source, target }) => `${source} ${target}`));
  const steps = impact.impacted.flatMap(({ path }) => {
    const [before, after] = path.slice(-2);
    return before === undefined || after === undefined || joined.has(`${after} ${before}`)
      ? []
      : [{ source: after, target: before, type: 'depends_on' }];
  });
  return { nodes, edges: within(nodes, [...known, ...steps]) };
};

export const drawnWay = ({ nodes }: Way, known: readonly Edge[]): Drawing => {
  const drawn = nodes.map((node) => plainNode(node));
  const steps = new Set(nodes.flatMap(({ id }, at) => [`${id} ${nodes[at + 1]?.id}`, `${nodes[at + 1]?.id} ${id}`]));
  return { nodes: drawn, edges: within(drawn, known).filter(({ source, target }) => steps.has(`${source} ${target}`)) };
};

/**
 * Adds the proposed relationships between CIs of the map. A pair that is related in this way already needs no decision.
 */
export const withProposed = (drawing: Drawing, proposed: readonly Edge[]): Drawing => ({
  ...drawing,
  edges: within(drawing.nodes, [...proposed, ...drawing.edges]),
});

/** Adds the current states; a CI that fails silently and has a problem is a victim. */
export const coloured = (drawing: Drawing, states: States): Drawing => ({
  ...drawing,
  nodes: drawing.nodes.map((node) => {
    const { worst = null, open = 0, acknowledged = 0 } = states[node.id] ?? {};
    const role = node.role === 'impacted' && worst !== null ? 'victim' : node.role;
    return { ...node, worst, open, acknowledged, role };
  }),
});

/** Maximum of CIs in the address of a list. */
const MAX_LISTED = 100;

/** Returns the address of the open events on the CIs of a map, those with most first; null without any. */
export const openEventsOf = ({ nodes }: Drawing): { readonly to: string; readonly cis: number } | null => {
  const listed = nodes.filter(({ open }) => open > 0).sort((one, other) => other.open - one.open);
  const ids = listed.slice(0, MAX_LISTED).map(({ id }) => id);
  return ids.length === 0 ? null : { to: `/events?status=open,acknowledged&ciId=${ids.join()}`, cis: ids.length };
};
