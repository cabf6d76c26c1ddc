import type { Position } from 'cytoscape';
import cytoscape from 'cytoscape';
import dagre from 'cytoscape-dagre';
import type { Drawing } from './drawn.ts';
import { fansOf } from './fold.ts';

/** Size of a node with its name, px. */
const LINE = 40;
/** Leaves that are a block instead of a line. */
const LEAST_BLOCK = 6;
/** Width of a block, measured by its height. */
const ASPECT = 2.5;

interface LayoutBlock {
  readonly id: string;
  readonly members: readonly string[];
  readonly columns: number;
  readonly cell: number;
}

const blockOf = (members: readonly string[], widthOf: (id: string) => number): LayoutBlock => {
  const cell = Math.max(...members.map(widthOf));
  const columns = Math.max(1, Math.round(Math.sqrt((members.length * LINE * ASPECT) / cell)));
  return { id: members[0] ?? '', members, columns: Math.min(columns, members.length), cell };
};

const sizeOf = ({ members, columns, cell }: LayoutBlock) => ({
  width: columns * cell,
  height: Math.ceil(members.length / columns) * LINE,
});

/**
 * Returns the places of all nodes, dependencies above; leaves with the same dependencies are blocks, as are CIs without any. `widthOf`: of a node
 * with its name, px.
 */
export const placesOf = (drawing: Drawing, widthOf: (id: string) => number): ReadonlyMap<string, Position> => {
  cytoscape.use(dagre as never);
  const related = new Set(drawing.edges.flatMap(({ source, target }) => [source, target]));
  const unrelated = drawing.nodes.flatMap(({ id }) => (related.has(id) ? [] : [id]));
  const blocks = [...fansOf(drawing), unrelated]
    .filter((fan) => fan.length >= LEAST_BLOCK)
    .map((fan) => blockOf(fan, widthOf));
  const blockOfNode = new Map(blocks.flatMap((block) => block.members.map((id) => [id, block] as const)));
  const place = (id: string): string => blockOfNode.get(id)?.id ?? id;
  const boxes = drawing.nodes
    .filter(({ id }) => place(id) === id)
    .map(({ id }) => {
      const block = blockOfNode.get(id);
      return { data: { id, ...(block === undefined ? { width: widthOf(id), height: LINE } : sizeOf(block)) } };
    });
  const ways = new Map(
    drawing.edges.map(({ source, target }) => [`${place(target)} ${place(source)}`, [place(target), place(source)]]),
  );
  const map = cytoscape({
    headless: true,
    styleEnabled: true,
    style: [{ selector: 'node', style: { width: 'data(width)', height: 'data(height)', shape: 'rectangle' } }],
    elements: [
      ...boxes,
      ...[...ways.values()].map(([source, target], at) => ({ data: { id: `edge ${at}`, source, target } })),
    ] as never,
    layout: { name: 'dagre', rankDir: 'TB', fit: false, animate: false, nodeSep: 8, rankSep: 26 } as never,
  });
  const places = new Map<string, Position>();
  for (const { data } of boxes) {
    const { x, y } = map.getElementById(data.id).position();
    const block = blockOfNode.get(data.id);
    if (block === undefined) places.set(data.id, { x, y });
    else {
      const { width, height } = sizeOf(block);
      for (const [at, id] of block.members.entries())
        places.set(id, {
          x: x - width / 2 + ((at % block.columns) + 0.5) * block.cell,
          y: y - height / 2 + (Math.floor(at / block.columns) + 0.5) * LINE,
        });
    }
  }
  map.destroy();
  return places;
};
