import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { withCode } from '#console/data/with-code.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { Failure } from '#console/states/failure.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { percent } from '#domain/numbers.ts';
import { type ImportReport, importPart } from './api.ts';
import { ColumnMappingPart } from './column-mapping.tsx';
import { DropPlace } from './file/drop-place.tsx';
import { type ImportKind, KINDS } from './file/kinds.ts';
import classes from './import.module.css';
import { type ColumnMapping, columnNames, mappingText, rememberMapping } from './mapping.ts';
import { kindOf, partsOf, type ReadFile, readFile } from './parts.ts';
import { NO_REPORT, summed } from './summed.ts';
import * as text from './texts.ts';

type ReportRow = ImportReport['rows'][number];
type RowFilter = 'all' | ReportRow['action'];

interface Props {
  readonly report: ImportReport;
  readonly kind: ImportKind;
  /** Raw rows of the file. */
  readonly lines: readonly string[];
  readonly action: ReactNode;
}

/** Rows that are drawn at once. */
const MAX_ROWS = 300;
/** Characters of a row of the file that are shown. */
const LONGEST_LINE = 120;
const WOULD = { created: text.toCreate, updated: text.toUpdate, unchanged: 'unchanged', failed: 'failed' } as const;
const DID = { created: 'created', updated: 'updated', unchanged: 'unchanged', failed: 'failed' } as const;

function What({ row, isDry, kind }: { readonly row: ReportRow; readonly isDry: boolean; readonly kind: ImportKind }) {
  if (row.error !== null) return <span className={classes.bad}>{row.error}</span>;
  const words = (isDry ? WOULD : DID)[row.action];
  return (
    <>
      {row.id !== null && kind === 'cis' ? <Link to={`/cis/${row.id}`}>{words}</Link> : words}
      {(row.changes ?? []).map(({ field, before, after }) => (
        <span key={field} className={classes.change}>
          {fieldWords(field)}: {valueText(before) || '(empty)'} → {valueText(after) || '(empty)'}
        </span>
      ))}
    </>
  );
}

/** Results, or expected ones, row by row; rows with errors are first. */
function ReportView({ report, kind, lines, action }: Props) {
  const [shown, setShown] = useState<RowFilter>('all');
  const { dry_run: isDry, total, created, updated, unchanged, failed } = report;
  const words = isDry ? WOULD : DID;
  const rows = report.rows.filter((row) => shown === 'all' || row.action === shown);
  const ordered = rows.toSorted(
    (a, b) => Number(b.action === 'failed') - Number(a.action === 'failed') || a.row - b.row,
  );
  return (
    <section className={classes.report} aria-label={isDry ? text.preview : text.result}>
      <div className={classes.reportHead}>
        <Tabs
          label={text.rows}
          value={shown}
          tabs={[
            { value: 'all', words: text.all, count: total },
            { value: 'created', words: words.created, count: created },
            { value: 'updated', words: words.updated, count: updated },
            { value: 'unchanged', words: words.unchanged, count: unchanged },
            { value: 'failed', words: words.failed, count: failed },
          ]}
          onChange={setShown}
        />
        {action}
        {isDry ? null : (
          <span className={classes.done} role="status">
            {text.imported(created + updated, failed)}
          </span>
        )}
      </div>
      {report.stopped ? <p className={classes.bad}>{text.stoppedImport}</p> : null}
      {report.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      {report.ignored_columns.length > 0 ? (
        <p className={classes.warning}>{text.ignoredColumns(report.ignored_columns.join(', '))}</p>
      ) : null}
      {rows.length === 0 ? (
        <p className={classes.dim}>{text.noMatchingRows}</p>
      ) : (
        <div className={compact.framed}>
          <table className={`${compact.table} ${classes.table}`}>
            <thead>
              <tr>
                <th>{text.row}</th>
                <th>{text.rowContent}</th>
                <th>{isDry ? text.preview : text.result}</th>
              </tr>
            </thead>
            <tbody>
              {ordered.slice(0, MAX_ROWS).map((row) => (
                <tr key={row.row}>
                  <td>{number(row.row)}</td>
                  <td className={classes.line}>{lines[row.row - 1]?.slice(0, LONGEST_LINE)}</td>
                  <td>
                    <What row={row} isDry={isDry} kind={kind} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > MAX_ROWS || report.truncated ? (
        <p className={classes.dim}>{text.rowsShown(number(Math.min(MAX_ROWS, rows.length)))}</p>
      ) : null}
    </section>
  );
}

/** Columns that the server maps. */
const MAX_COLUMNS = 200;
/** Maximum of one request. */
const MAX_BYTES = 64 * 1024 * 1024;

interface ImportFile {
  readonly name: string;
  readonly file: ReadFile;
  readonly kind: ImportKind;
  readonly mapping: ColumnMapping;
}

/** A file that is previewed, part by part, and then imported in the same way. */
const useImport = () => {
  const { call, pageTransfer } = useAppServices();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ImportFile | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);

  const send = async ({ file, kind, mapping }: ImportFile, dryRun: boolean): Promise<void> => {
    setError(null);
    const columns = mappingText(mapping);
    let sum: ImportReport = { ...NO_REPORT, dry_run: dryRun };
    try {
      for (const part of partsOf(file)) {
        setProgress(part.before / file.rows.length);
        const own = await importPart(call, kind, { format: file.format, text: part.text, dryRun, columns });
        sum = summed(sum, own, part);
        setReport(sum);
        if (sum.stopped) break;
      }
    } catch (failure) {
      setError(failure);
    }
    setProgress(null);
    if (dryRun) return;
    rememberMapping(localStorage, kind, mapping);
    await queries.invalidateQueries();
  };
  const look = (next: ImportFile): void => {
    setChosen(next);
    setReport(null);
    void send(next, true);
  };
  const take = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    setReport(null);
    setChosen(null);
    setError(null);
    try {
      if (given.size > MAX_BYTES) throw new Error(text.maximumFileSize);
      const file = readFile(given.name, await given.text());
      look({ name: given.name, file, kind: kindOf(file), mapping: {} });
    } catch (failure) {
      setError(failure);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the file passed by the previous page once.
  useEffect(() => void take(pageTransfer.take() ?? undefined), []);
  return { chosen, report, progress, error, look, take, write: (what: ImportFile) => void send(what, false) };
};

type Importing = ReturnType<typeof useImport>;

/** The columns of a file, for its author. */
function Columns() {
  return (
    <section className={classes.columns}>
      <h2 className={classes.columnsHead}>{text.columnReference}</h2>
      <dl>
        <dt>{text.cis}</dt>
        <dd>{withCode(text.columnsOfCis)}</dd>
        <dt>{text.relationships}</dt>
        <dd>{withCode(text.columnsOfRelationships)}</dd>
      </dl>
    </section>
  );
}

interface FileProps {
  readonly importing: Importing;
  readonly chosen: ImportFile;
}

/** The file, its detected kind, and the progress of reading. */
function SelectedFile({ importing, chosen }: FileProps) {
  const { progress, report, look } = importing;
  return (
    <div className={classes.chosen}>
      <strong className={classes.name}>{chosen.name}</strong>
      <span className={classes.dim}>{text.rowsOf(count(chosen.file.rows.length, 'row'))}</span>
      <Tabs
        label={text.fileContent}
        value={chosen.kind}
        tabs={KINDS}
        onChange={(kind) => progress === null && look({ ...chosen, kind, mapping: {} })}
      />
      {progress === null ? null : (
        <span className={classes.progress} role="status">
          <progress value={progress} max={1} aria-label={text.progress} />
          {percent(progress)} {report?.dry_run === false ? 'imported' : 'checked'}
        </span>
      )}
    </div>
  );
}

/** The file has no column that is needed. */
const isMappingAsked = (error: unknown): boolean => isProblem(error, 400) && 'header' in error.fields;

function Failed({ importing }: { readonly importing: Importing }) {
  const { error, chosen, look } = importing;
  if (error === null || (isMappingAsked(error) && Object.keys(chosen?.mapping ?? {}).length === 0)) return null;
  if (error instanceof Error && chosen === null)
    return (
      <p className={classes.bad} role="alert">
        {error instanceof SyntaxError ? text.fileNotValidJson : error.message}.
      </p>
    );
  return <Failure error={error} what={nouns.file} retry={() => chosen !== null && look(chosen)} />;
}

function Found({ importing }: { readonly importing: Importing }) {
  const { report, chosen, progress, error, write } = importing;
  if (report === null) return error === null ? <Columns /> : null;
  const isDone = !report.dry_run && progress === null;
  const changes = report.created + report.updated;
  return (
    <ReportView
      report={report}
      kind={chosen?.kind ?? 'cis'}
      lines={chosen?.file.rows ?? []}
      action={
        isDone ? null : (
          <Button
            disabled={progress !== null || changes === 0 || error !== null}
            onClick={() => chosen !== null && write(chosen)}
          >
            {text.importOf(count(changes, 'row'))}
          </Button>
        )
      }
    />
  );
}

/** Columns that were not recognized: all of them where the file has no column that is needed. */
const unmatchedOf = ({ report, error }: Importing, columns: readonly string[]): readonly string[] => {
  if (isMappingAsked(error)) return columns;
  return report?.ignored_columns ?? [];
};

function Mapping({ importing, chosen }: FileProps) {
  const { report, progress, look } = importing;
  const { kind, mapping, file } = chosen;
  if (file.header === null || progress !== null || report?.dry_run === false) return null;
  const columns = [...new Set(columnNames(file.header).filter((name) => name !== ''))].slice(0, MAX_COLUMNS);
  const unmatched = unmatchedOf(importing, columns);
  if (unmatched.length === 0 && Object.keys(mapping).length === 0) return null;
  return (
    <ColumnMappingPart
      key={`${chosen.name} ${kind} ${unmatched.join()}`}
      kind={kind}
      columns={columns}
      unmatched={unmatched}
      mapping={mapping}
      apply={(next) => look({ ...chosen, mapping: next })}
    />
  );
}

/** Imports a list of CIs or relationships, after a preview. */
export function ImportPage() {
  const importing = useImport();
  const { chosen, report, take } = importing;
  return (
    <Page title={text.importLabel} scrolls lead={text.importLead}>
      <DropPlace
        choose={chosen === null ? text.chooseFile : text.chooseAnotherFile}
        isMain={report === null}
        take={take}
      />
      {chosen === null ? null : <SelectedFile importing={importing} chosen={chosen} />}
      <Failed importing={importing} />
      {chosen === null ? null : <Mapping importing={importing} chosen={chosen} />}
      <Found importing={importing} />
    </Page>
  );
}
