const CHECK_REM = 1.25;
const GAP_REM = 0.75;

interface SizedColumn {
  /** Width for `grid-template-columns`: `6rem`, `minmax(12rem, 1fr)`. */
  readonly width: string;
  /** Left out where there is no room, the highest number first; absent: never. */
  readonly low?: number;
}

const leastRem = (columns: readonly SizedColumn[]): number =>
  columns.reduce((sum, { width }) => sum + GAP_REM + Number.parseFloat(width.replace('minmax(', '')), 0) +
  CHECK_REM +
  2 * GAP_REM;

/** Width below which a list scrolls sideways, and no column is cut off. */
export const leastWidth = (columns: readonly SizedColumn[]): string => `${leastRem(columns)}rem`;

/** Columns that fit into a width, rem; null: unknown, all. */
export const fitting = <C extends SizedColumn>(columns: readonly C[], width: number | null): readonly C[] => {
  let shown = columns;
  while (width !== null && leastRem(shown) > width) {
    const lowest = Math.max(...shown.map(({ low = -1 }) => low));
    if (lowest < 0) return shown;
    shown = shown.toSpliced(
      shown.findLastIndex(({ low }) => low === lowest),
      1,
    );
  }
  return shown;
};
