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

interface PlacedBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface MapRoom {
  readonly width: number;
  readonly height: number;
}
const BETWEEN = 8;
/** A name below each node, at any zoom. */
const BETWEEN_ROWS = 20;
const RANK_SPACE = 26;
/** Rows of a rank at most. */
const MAX_ROWS = 12;

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0);

/** The boxes of a rank in columns of some rows each, from left to right: what belongs together stays together. */
const inRows = (rank: readonly PlacedBox[], most: number) => {
  const total = sumOf(rank, ({ width }) => width + BETWEEN);
  const rows = Math.min(Math.ceil(total / most), rank.length, MAX_ROWS);
  const columns = [...Map.groupBy(rank.entries(), ([at]) => Math.floor(at / rows)).values()].map((column) =>
    column.map(([, box]) => box),
  );
  const line = Math.max(...rank.map(({ height }) => height)) + (rows > 1 ? BETWEEN_ROWS : 0);
  const widths = columns.map((column) => Math.max(...column.map(({ width }) => width)) + BETWEEN);
  return { columns, widths, line, width: sumOf(widths, (width) => width), height: rows * line };
};

/** The boxes with ranks that are wrapped to a width. */
function wrapped(ranks: readonly (readonly PlacedBox[])[], most: number) {
  const all = ranks.map((rank) => inRows(rank, most));
  const places = new Map<string, Position>();
  let top = 0;
  for (const { columns, widths, line, width, height } of all) {
    let left = -width / 2;
    for (const [at, column] of columns.entries()) {
      const own = widths[at] ?? 0;
      for (const [row, { id }] of column.entries()) places.set(id, { x: left + own / 2, y: top + (row + 0.5) * line });
      left += own;
    }
    top += height + RANK_SPACE;
  }
  return { places, width: Math.max(...all.map(({ width }) => width)), height: top - RANK_SPACE };
}

/** The boxes as they are, or with wrapped ranks where that makes them larger in the room. */
function fitted(boxes: readonly PlacedBox[], room: MapRoom): ReadonlyMap<string, Position> {
  const zoomOf = ({ width, height }: MapRoom): number => Math.min(1, room.width / width, room.height / height);
  const spread = (of: (box: PlacedBox) => number, size: (box: PlacedBox) => number): number =>
    Math.max(...boxes.map((box) => of(box) + size(box) / 2)) - Math.min(...boxes.map((box) => of(box) - size(box) / 2));
  const whole = {
    places: new Map(boxes.map(({ id, x, y }) => [id, { x, y }])),
    width: spread(
      ({ x }) => x,
      ({ width }) => width,
    ),
    height: spread(
      ({ y }) => y,
      ({ height }) => height,
    ),
  };
  if (zoomOf(whole) === 1) return whole.places;
  const ranks = [...Map.groupBy(boxes, ({ y }) => Math.round(y / 2)).entries()]
    .sort(([a], [b]) => a - b)
    .map(([, rank]) => rank.toSorted((a, b) => a.x - b.x));
  const tried = Array.from({ length: MAX_ROWS }, (_, at) => wrapped(ranks, whole.width / (at + 1)));
  return [whole, ...tried].reduce((best, one) => (zoomOf(one) > zoomOf(best) * 1.1 ? one : best)).places;
}

/**
 * Returns the places of all nodes, dependencies above; leaves with the same dependencies are blocks, as are CIs without any. `widthOf`: of a node
 * with its name, px; `room`: of the map.
 */
export const placesOf = (
  drawing: Drawing,
  widthOf: (id: string) => number,
  room: MapRoom,
): ReadonlyMap<string, Position> => {
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
    layout: {
      name: 'dagre',
      rankDir: 'TB',
      fit: false,
      animate: false,
      nodeSep: BETWEEN,
      rankSep: RANK_SPACE,
    } as never,
  });
  const placed = fitted(
    boxes.map(({ data }) => ({ ...data, ...map.getElementById(data.id).position() })),
    room,
  );
  const places = new Map<string, Position>();
  for (const { data } of boxes) {
    const { x, y } = placed.get(data.id) ?? { x: 0, y: 0 };
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
