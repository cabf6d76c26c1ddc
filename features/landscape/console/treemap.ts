/** A rectangle on the page, px. */
export interface TileArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The greatest ratio of two sides among areas of these sizes in a row along a side. */
const worstRatio = (sizes: readonly number[], side: number): number => {
  const sum = sizes.reduce((all, size) => all + size, 0);
  const thickness = sum / side;
  return Math.max(...sizes.map((size) => Math.max(thickness / (size / thickness), size / thickness / thickness)));
};

/**
 * Divides an area in proportion to the weights, into areas as square as can be (Bruls, Huizing and van Wijk, "Squarified
 * treemaps"). The weights are descending, and above 0.
 */
export function areasOf(weights: readonly number[], area: TileArea): TileArea[] {
  const total = weights.reduce((all, weight) => all + weight, 0);
  const scale = (area.width * area.height) / total;
  const found: TileArea[] = [];
  let left = area;
  for (let at = 0; at < weights.length; ) {
    const isWide = left.width >= left.height;
    const side = isWide ? left.height : left.width;
    let row = [(weights[at] ?? 0) * scale];
    for (let next = at + 1; next < weights.length; next++) {
      const longer = [...row, (weights[next] ?? 0) * scale];
      if (worstRatio(longer, side) > worstRatio(row, side)) break;
      row = longer;
    }
    const thickness = row.reduce((all, size) => all + size, 0) / side;
    let offset = 0;
    for (const size of row) {
      const length = size / thickness;
      found.push(
        isWide
          ? { x: left.x, y: left.y + offset, width: thickness, height: length }
          : { x: left.x + offset, y: left.y, width: length, height: thickness },
      );
      offset += length;
    }
    left = isWide
      ? { ...left, x: left.x + thickness, width: left.width - thickness }
      : { ...left, y: left.y + thickness, height: left.height - thickness };
    at += row.length;
  }
  return found;
}
