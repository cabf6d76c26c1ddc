import { type CSSProperties, memo, type ReactNode, useCallback, useMemo, useState } from 'react';
import { useStable } from '#console/hooks/use-stable.ts';
import { Check } from './check.tsx';
import { fitting, leastWidth } from './fit.ts';
import classes from './grid.module.css';
import { List } from './list.tsx';
import type { ListProps } from './list-props.ts';
import type { Cells } from './list-row.tsx';
import { allOrNone, toggled } from './selection.ts';
import * as text from './texts.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Width for `grid-template-columns`: `6rem`, `minmax(12rem, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Left out where there is no room, the highest number first; absent: never. */
  readonly low?: number;
  /** Name by which the server sorts. */
  readonly sort?: string;
}

interface Sorting {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

interface Props<Row> extends Omit<ListProps<Row>, 'children' | 'header' | 'onWidth'> {
  readonly columns: readonly Column<Row>[];
  readonly sorting?: Sorting;
  readonly onSorting?: (sorting: Sorting) => void;
  /** A row in a place too narrow for columns. */
  readonly narrow?: (row: Row) => ReactNode;
  /** Returns the name of a row beside its check box. */
  readonly nameOf: (row: Row) => string;
}

const arrow = (sorting: Sorting | undefined, sort: string): string => {
  if (sorting?.by !== sort) return '';
  return sorting.order === 'asc' ? '↑' : '↓';
};
const ariaSort = (sorting: Sorting | undefined, sort: string | undefined) => {
  if (sort === undefined || sorting?.by !== sort) return undefined;
  return sorting.order === 'asc' ? 'ascending' : 'descending';
};

function Header<Row>({ columns, sorting, onSorting, ...list }: Props<Row> & { readonly style: CSSProperties }) {
  const { order, selection, onSelection } = list;
  const isAll = order.length > 0 && order.every((id) => selection.ids.has(id));
  return (
    <div role="row" aria-rowindex={1} className={classes.header} style={list.style}>
      <span role="columnheader" className={classes.cell}>
        <Check
          aria-label={text.selectAllLoadedRows}
          checked={isAll}
          isPartly={!isAll && selection.ids.size > 0}
          onChange={() => onSelection(allOrNone(selection, order))}
        />
      </span>
      {columns.map(({ id, title, sort, isNumber }) => (
        <span
          key={id}
          role="columnheader"
          aria-sort={ariaSort(sorting, sort)}
          className={classes.cell}
          data-end={isNumber || undefined}
        >
          {sort === undefined || onSorting === undefined ? (
            title
          ) : (
            <button
              type="button"
              className={classes.sort}
              data-active={sorting?.by === sort || undefined}
              onClick={() =>
                onSorting({ by: sort, order: sorting?.by === sort && sorting.order === 'desc' ? 'asc' : 'desc' })
              }
            >
              {title} <span aria-hidden>{arrow(sorting, sort)}</span>
            </button>
          )}
        </span>
      ))}
    </div>
  );
}

interface CellsProps<Row> extends Pick<Props<Row>, 'columns' | 'nameOf'> {
  readonly row: Row;
  readonly narrow: Props<Row>['narrow'] | undefined;
  readonly isSelected: boolean;
  readonly style: CSSProperties;
  readonly onToggle: (row: Row) => void;
}

function RowCells<Row>({ row, isSelected, columns, narrow, nameOf, style, onToggle }: CellsProps<Row>) {
  return (
    <div className={classes.cells} style={style}>
      <span role="gridcell">
        <Check
          aria-label={text.select(nameOf(row))}
          checked={isSelected}
          tabIndex={-1}
          onChange={() => onToggle(row)}
        />
      </span>
      {narrow !== undefined ? (
        <span role="gridcell" className={classes.cell}>
          {narrow(row)}
        </span>
      ) : (
        columns.map(({ id, cell, isNumber }) => (
          <span key={id} role="gridcell" className={classes.cell} data-end={isNumber || undefined}>
            {cell(row)}
          </span>
        ))
      )}
    </div>
  );
}
/** The focus changes without it. */
const KeptCells = memo(RowCells) as typeof RowCells;

/** A list with columns; the first holds the check boxes. */
export function Table<Row>(props: Props<Row>) {
  const { columns: all, narrow, nameOf, idOf, selection, onSelection } = props;
  const [width, setWidth] = useState<number | null>(null);
  const columns = useMemo(() => fitting(all, width), [all, width]);
  const isNarrow = narrow !== undefined;
  const least = isNarrow ? undefined : leastWidth(columns);
  const template = isNarrow ? '1.25rem 1fr' : ['1.25rem', ...columns.map(({ width }) => width)].join(' ');
  const style = useMemo(() => ({ gridTemplateColumns: template }), [template]);
  const header = isNarrow ? undefined : <Header {...props} columns={columns} style={{ ...style, minWidth: least }} />;
  const onToggle = useStable((row: Row) => onSelection(toggled(selection, idOf(row))));
  const cells = useCallback<Cells<Row>>(
    (row, { selected }) => (
      <KeptCells
        row={row}
        columns={columns}
        narrow={narrow}
        nameOf={nameOf}
        style={style}
        onToggle={onToggle}
        isSelected={selected}
      />
    ),
    [columns, narrow, nameOf, style, onToggle],
  );
  return (
    <List {...props} header={header} leastWidth={least} onWidth={setWidth}>
      {cells}
    </List>
  );
}
