import type { ReactNode } from 'react';
import classes from './simple-table.module.css';
import * as text from './texts.ts';

export interface SimpleColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** The column that identifies the row: its cells are headings of their rows. */
  readonly isName?: boolean;
  /** Fills the remaining width. */
  readonly isWide?: boolean;
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly SimpleColumn<Row>[];
  readonly idOf: (row: Row) => string;
  /** Buttons at the end of a row. */
  readonly actions?: (row: Row) => ReactNode;
  readonly isDim?: (row: Row) => boolean;
  readonly isCurrent?: (row: Row) => boolean;
}

/** A table of some dozen rows, read from top to bottom; where there is no room for columns, each row is a card. */
export function SimpleTable<Row>({ label, rows, columns, idOf, actions, isDim, isCurrent }: Props<Row>) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isWide }) => (
            <th key={title} scope="col" data-end={isNumber || undefined} data-wide={isWide || undefined}>
              {title}
            </th>
          ))}
          {actions === undefined ? null : (
            <th scope="col" data-end>
              <span className={classes.unseen}>{text.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)} data-dim={isDim?.(row) || undefined} data-current={isCurrent?.(row) || undefined}>
            {columns.map(({ title, cell, isNumber, isName }) =>
              isName ? (
                <th key={title} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={title} data-end={isNumber || undefined} data-label={title}>
                  {cell(row)}
                </td>
              ),
            )}
            {actions === undefined ? null : (
              <td data-actions>
                <span className={classes.actions}>{actions(row)}</span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
