import { count } from '#console/text/counts.ts';
import type { LandscapeBoxData, LandscapeCounts, LandscapeData } from './api.ts';
import { boxName } from './place.ts';
import * as text from './texts.ts';
import { areasOf, type TileArea } from './treemap.ts';

/** A box as it is drawn. */
export interface Tile extends LandscapeCounts {
  readonly key: string;
  readonly name: string;
  readonly area: TileArea;
  /** Values of the levels that lead to it; null: it leads nowhere. */
  readonly path: readonly (string | null)[] | null;
  /** Id, if it is one CI. */
  readonly ci: string | null;
  /** Others are drawn on it. */
  readonly isFrame: boolean;
}

/** Height of the name of a frame, and space around what is in it, px. */
const HEAD = 22;
const GAP = 3;
/** Smaller areas have no room for a frame. */
const LEAST = 40;

type Drawn = Omit<Tile, 'area' | 'isFrame'> & { readonly box: LandscapeBoxData | null };
type BoxPart = Pick<LandscapeBoxData, 'value' | 'ci'> & LandscapeCounts;

const drawnOf = (box: BoxPart, level: string, before: readonly (string | null)[]): Omit<Drawn, 'box'> => {
  const { value, ci = null, cis, affected, worst } = box;
  const path = [...before, value];
  return {
    key: JSON.stringify(path),
    name: boxName(level, box),
    path: ci === null ? path : null,
    ci,
    cis,
    affected,
    worst,
  };
};
const othersOf = (others: LandscapeCounts | null, before: readonly (string | null)[]): Drawn[] =>
  others === null
    ? []
    : [
        {
          ...others,
          key: `${JSON.stringify(before)} others`,
          name: text.others(count(others.cis, 'CI')),
          path: null,
          ci: null,
          box: null,
        },
      ];

const bySize = (one: LandscapeCounts, other: LandscapeCounts): number => other.cis - one.cis;
const placed = (all: readonly Drawn[], area: TileArea) => {
  const sorted = all.toSorted(bySize);
  const areas = areasOf(
    sorted.map(({ cis }) => cis),
    area,
  );
  return sorted.flatMap((one, i) => {
    const own = areas[i];
    return own === undefined ? [] : [{ one, area: own }];
  });
};

const insetOf = ({ x, y, width, height }: TileArea): TileArea => ({
  x: x + GAP,
  y: y + HEAD,
  width: width - 2 * GAP,
  height: height - HEAD - GAP,
});

/** All tiles of a landscape: each frame before those on it. */
export function tilesOf(
  { by, boxes, others }: LandscapeData,
  size: Pick<TileArea, 'width' | 'height'>,
): readonly Tile[] {
  const [level = '', inner = ''] = by;
  if (size.width < LEAST || size.height < LEAST) return [];
  const outer = [...boxes.map((box) => ({ ...drawnOf(box, level, []), box })), ...othersOf(others, [])];
  return placed(outer, { x: 0, y: 0, ...size }).flatMap(({ one: { box, ...tile }, area }): Tile[] => {
    const isFrame = box !== null && box.boxes.length > 0 && area.width >= LEAST && area.height >= HEAD + LEAST;
    if (!isFrame) return [{ ...tile, area, isFrame }];
    const path = tile.path ?? [];
    const within = [
      ...box.boxes.map((part) => ({ ...drawnOf(part, inner, path), box: null })),
      ...othersOf(box.others, path),
    ];
    return [
      { ...tile, area, isFrame },
      ...placed(within, insetOf(area)).map(({ one: { box: _, ...part }, area: own }) => ({
        ...part,
        area: own,
        isFrame: false,
      })),
    ];
  });
}
