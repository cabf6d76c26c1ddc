import type { ReactNode } from 'react';
import { type CsvField, fieldsOf } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { MoreRows } from '#console/data/more-rows.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Section } from '#console/frame/section.tsx';
import type { usePages } from '#console/hooks/use-pages.ts';
import { Region } from '#console/states/region.tsx';

interface Props<Row> {
  readonly title: string;
  /** Noun, as in "Couldn't load users". */
  readonly what: string;
  readonly list: ReturnType<typeof usePages<Row>>;
  readonly idOf: (row: Row) => string;
  readonly columns: readonly SimpleColumn<Row>[];
  /** Explains why there is none, and the next step. */
  readonly empty: ReactNode;
  readonly actions?: (row: Row) => ReactNode;
  readonly isDim?: (row: Row) => boolean;
  readonly isCurrent?: (row: Row) => boolean;
  readonly end?: ReactNode;
  /** Content above the rows, in any state. */
  readonly filters?: ReactNode;
  /** Columns of its file, where these are not those of the table. */
  readonly fields?: readonly CsvField<Row>[];
}

/** A list of the administration: in any state, page by page. */
export function AdminList<Row>({
  title,
  what,
  list: { found, rows, total, read },
  empty,
  end,
  filters,
  fields,
  ...table
}: Props<Row>) {
  return (
    <Section
      title={title}
      flush
      end={
        <>
          {end}
          <ExportButton
            name={what.replaceAll(' ', '-')}
            fields={fields ?? fieldsOf(table.columns)}
            read={(_call, cursor) => read(cursor)}
          />
        </>
      }
    >
      {filters}
      <Region query={found} what={what}>
        {() => (rows.length === 0 ? empty : <SimpleTable label={title} rows={rows} {...table} />)}
      </Region>
      <MoreRows list={{ found, rows, total }} />
    </Section>
  );
}
