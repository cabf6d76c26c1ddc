import Table from 'cli-table3';

/** One line of the report. `baseline` was measured in the same run, in the same unit. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly met?: boolean;
  readonly baseline?: number;
  readonly of?: string;
  readonly note?: string;
}

const shown = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const against = ({ value, baseline, of }: Row): string =>
  baseline === undefined ? '' : `${(value / baseline).toFixed(2)} of ${of} (${shown(baseline)})`;

const verdict = ({ met }: Row): string => (met === undefined ? '' : met ? 'met' : 'MISSED');

export const tableOf = (rows: readonly Row[]): string => {
  const table = new Table({
    head: ['what', 'value', 'unit', 'target', '', 'against', 'note'],
    style: { head: [], border: [] },
  });
  for (const row of rows)
    table.push([row.what, shown(row.value), row.unit, row.target ?? '', verdict(row), against(row), row.note ?? '']);
  return table.toString();
};
