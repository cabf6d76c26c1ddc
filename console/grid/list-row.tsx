import { memo, type ReactNode } from 'react';
import classes from './grid.module.css';

/** The content of a row. With the same function the row does not render again. */
export type Cells<Row> = (row: Row, is: { readonly selected: boolean; readonly focused: boolean }) => ReactNode;

interface Props<Row> {
  /** Undefined: not loaded yet. */
  readonly row: Row | undefined;
  readonly index: number;
  readonly ariaIndex: number;
  readonly start: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  /** Tab leads to it. */
  readonly isTabStop: boolean;
  readonly isFaded: boolean;
  readonly cells: Cells<Row>;
}

function Drawn<Row>({
  row,
  index,
  ariaIndex,
  start,
  height,
  isSelected,
  isFocused,
  isTabStop,
  isFaded,
  cells,
}: Props<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={ariaIndex}
      aria-selected={isSelected}
      data-index={index}
      data-focused={isFocused || undefined}
      data-faded={isFaded || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={classes.row}
      style={{ height, transform: `translateY(${start}px)` }}
    >
      {row === undefined ? (
        <span role="gridcell" className={classes.awaited} />
      ) : (
        cells(row, { selected: isSelected, focused: isFocused })
      )}
    </div>
  );
}

/** A row at its position; renders again only when its data has changed. */
export const ListRow = memo(Drawn) as typeof Drawn;

/** Returns the index of the row that an event originated from. */
export const indexOfRow = ({ target }: { readonly target: EventTarget }): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role=row][data-index]') : null;
  return row === null ? null : Number(row.dataset.index);
};
