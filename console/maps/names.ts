/** A node on the screen, px. */
export interface NamedNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Half of its size. */
  readonly radius: number;
  /** Width of its name. */
  readonly width: number;
  /** The highest is placed first. */
  readonly rank: number;
}
interface NameBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
export interface PlacedName extends NameBox {
  readonly id: string;
  readonly side: 'bottom' | 'top';
}

/** Distance between a node and its name, px. */
export const NAME_GAP = 4;
const SPACE = 2;

const meet = (a: NameBox, b: NameBox): boolean =>
  a.left < b.right + SPACE && b.left < a.right + SPACE && a.top < b.bottom + SPACE && b.top < a.bottom + SPACE;

const boxOf = ({ x, y, radius, width }: NamedNode, side: PlacedName['side'], height: number): NameBox => {
  const top = side === 'bottom' ? y + radius + NAME_GAP : y - radius - NAME_GAP - height;
  return { left: x - width / 2, right: x + width / 2, top, bottom: top + height };
};

/** Names that can be read: no two overlap, and none covers another node. `height`: of a line, px. */
export const placedNames = (nodes: readonly NamedNode[], height: number): readonly PlacedName[] => {
  const shapes = nodes.map(({ id, x, y, radius }) => ({
    id,
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const placed: PlacedName[] = [];
  for (const node of nodes.toSorted((a, b) => b.rank - a.rank)) {
    for (const side of ['bottom', 'top'] as const) {
      const box = boxOf(node, side, height);
      const isFree =
        !placed.some((other) => meet(box, other)) && !shapes.some((shape) => shape.id !== node.id && meet(box, shape));
      if (!isFree) continue;
      placed.push({ ...box, id: node.id, side });
      break;
    }
  }
  return placed;
};
