import type { ReactNode } from 'react';
import { Age } from '#console/components/age.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import type { CsvField } from './csv/csv.ts';
import classes from './simple-table.module.css';
import * as text from './texts.ts';

export interface SimpleColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Value in a file, where the cell is more than a text. */
  readonly value?: CsvField<Row>[1];
  readonly isNumber?: boolean;
  /** The column that identifies the row: its cells are headings of their rows. */
  readonly isName?: boolean;
  /** Fills the remaining width. */
  readonly isWide?: boolean;
}

/** Columns of times, shown so; `none` where there is none. */
const columnOf =
  (shown: (at: string) => ReactNode) =>
  <Row,>(title: string, value: (row: Row) => string | null, none = '–'): SimpleColumn<Row> => ({
    title,
    value,
    cell: (row) => {
      const at = value(row);
      return at === null ? none : shown(at);
    },
  });
export const timeColumn = columnOf((at) => <Timestamp at={at} />);
export const ageColumn = columnOf((since) => <Age since={since} />);

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
