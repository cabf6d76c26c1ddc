import type { States } from '#console/api/cmdb/cmdb.ts';
import type { ImpactShown, NeighbourhoodShown, Way } from '#console/api/cmdb/topology.ts';
import type { Drawing, DrawnNode } from '#console/maps/drawn.ts';

/** A relationship: `source` depends on `target`. */
export type Edge = Drawing['edges'][number];
interface Named {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const plainNode = ({ id, name, type }: Named, role: DrawnNode['role'] = 'plain'): DrawnNode => ({
  ...{ id, name, type, role },
  worst: null,
  open: 0,
});

/** Without edges that lead out of the map, each once. */
const within = (nodes: readonly DrawnNode[], edges: readonly Edge[]): Edge[] => {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = new Map(
    edges
      .filter(({ source, target }) => ids.has(source) && ids.has(target))
      .map(({ source, target, type }) => [`${source} ${target} ${type}`, { source, target, type }]),
  );
  return [...known.values()];
};

export const drawnAround = ({ ci, nodes, edges }: NeighbourhoodShown): Drawing => {
  const drawn = [plainNode(ci), ...nodes.filter(({ id }) => id !== ci.id).map((node) => plainNode(node))];
  return { nodes: drawn, edges: within(drawn, edges) };
};

/** `known`: relationships around the CIs that fail. A way that none of them shows is drawn as a dependency. */
export const drawnImpact = (impact: ImpactShown, known: readonly Edge[]): Drawing => {
  const starts = impact.cis.map((ci) => plainNode(ci));
  const nodes = [
    ...starts,
    ...impact.impacted.map((ci) => plainNode(ci, 'impacted')),
    ...impact.protected.map((ci) => plainNode(ci, 'protected')),
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

/** In the colours of now; what fails silently and complains is a victim. */
export const coloured = ({ nodes, edges }: Drawing, states: States): Drawing => ({
  edges,
  nodes: nodes.map((node) => {
    const { worst = null, open = 0 } = states[node.id] ?? {};
    const role = node.role === 'impacted' && worst !== null ? 'victim' : node.role;
    return { ...node, worst, open, role };
  }),
});
