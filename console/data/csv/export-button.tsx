import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Call } from '#console/api/link/call.ts';
import { saveFile } from '#console/components/save-file.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { count } from '#console/text/counts.ts';
import * as text from '#console/text/texts.ts';
import { type CsvField, type CsvPage, csvOf, type FileColumn, fieldsOf, readAll, wholeList } from './csv.ts';

const MOST = 10_000;

interface Props<Row> {
  /** Name of the file, without its end. */
  readonly name: string;
  readonly fields: readonly CsvField<Row>[];
  /** Reads a page of the filtered list. */
  readonly read: (call: Call, cursor: string | undefined) => Promise<CsvPage<Row>>;
}

/** Saves the list that the filters show as a file. */
export function ExportButton<Row>({ name, fields, read }: Props<Row>) {
  const { call, clock } = useAppServices();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { rows, isCut } = await readAll((cursor) => read(call, cursor), MOST);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      saveFile(`${name}-${day}.csv`, csvOf(rows, fields), 'text/csv');
      showToast({
        text: isCut ? text.exportedFirst(count(rows.length, 'row')) : text.exported(count(rows.length, 'row')),
      });
    } catch (error) {
      showError(text.couldntExport, error);
    }
    setBusy(false);
  };
  return (
    <Button variant="subtle" color="gray" loading={isBusy} onClick={() => void save()}>
      {text.exportCsv}
    </Button>
  );
}

interface RowsProps<Row> {
  readonly name: string;
  readonly columns: readonly FileColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
}

/** Saves the rows of a table as a file. */
export const ExportRows = <Row,>({ name, columns, rows = [] }: RowsProps<Row>) => (
  <ExportButton name={name} fields={fieldsOf(columns)} read={() => Promise.resolve(wholeList(rows))} />
);
