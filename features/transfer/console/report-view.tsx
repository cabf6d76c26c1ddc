import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { number } from '#console/words/counts.ts';
import type { ImportReport } from './api.ts';
import type { ImportKind } from './file/kinds.ts';
import classes from './import.module.css';

type Row = ImportReport['rows'][number];
type Shown = 'all' | Row['action'];

interface Props {
  readonly report: ImportReport;
  readonly kind: ImportKind;
  /** Rows of the file as they stand there. */
  readonly lines: readonly string[];
  readonly action: ReactNode;
}

/** Rows that are drawn at once. */
const MOST_ROWS = 300;
/** Characters of a row of the file that are shown. */
const LONGEST_LINE = 120;
const WOULD = {
  created: 'would be new',
  updated: 'would change',
  unchanged: 'as it is',
  failed: 'cannot be read',
} as const;
const DID = { created: 'is new', updated: 'changed', unchanged: 'as it was', failed: 'failed' } as const;

function What({ row, isDry, kind }: { readonly row: Row; readonly isDry: boolean; readonly kind: ImportKind }) {
  if (row.error !== null) return <span className={classes.bad}>{row.error}</span>;
  const words = (isDry ? WOULD : DID)[row.action];
  return (
    <>
      {row.id !== null && kind === 'cis' ? <Link to={`/cis/${row.id}`}>{words}</Link> : words}
      {(row.changes ?? []).map(({ field, before, after }) => (
        <span key={field} className={classes.change}>
          {fieldWords(field)}: {valueText(before) || 'nothing'} → {valueText(after) || 'nothing'}
        </span>
      ))}
    </>
  );
}

/** Results, or expected ones, row by row; rows with errors come first. */
export function ReportView({ report, kind, lines, action }: Props) {
  const [shown, setShown] = useState<Shown>('all');
  const { dry_run: isDry, total, created, updated, unchanged, failed } = report;
  const words = isDry ? WOULD : DID;
  const rows = report.rows.filter((row) => shown === 'all' || row.action === shown);
  const ordered = rows.toSorted(
    (a, b) => Number(b.action === 'failed') - Number(a.action === 'failed') || a.row - b.row,
  );
  return (
    <section className={classes.report} aria-label={isDry ? 'What would happen' : 'What was done'}>
      <div className={classes.reportHead}>
        <Tabs
          label="Rows"
          value={shown}
          tabs={[
            { value: 'all', words: 'all', count: total },
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
            {number(created + updated)} imported{failed > 0 ? `, ${number(failed)} failed` : ''}.
          </span>
        )}
      </div>
      {report.stopped ? (
        <p className={classes.bad}>Too many rows cannot be read: the rest was not looked at. Is it the right file?</p>
      ) : null}
      {report.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      {report.ignored_columns.length > 0 ? (
        <p className={classes.warning}>Ignored columns: {report.ignored_columns.join(', ')}</p>
      ) : null}
      {rows.length === 0 ? (
        <p className={classes.dim}>No such row.</p>
      ) : (
        <div className={compact.framed}>
          <table className={`${compact.table} ${classes.table}`}>
            <thead>
              <tr>
                <th>Row</th>
                <th>In the file</th>
                <th>{isDry ? 'What would happen' : 'What happened'}</th>
              </tr>
            </thead>
            <tbody>
              {ordered.slice(0, MOST_ROWS).map((row) => (
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
      {rows.length > MOST_ROWS || report.truncated ? (
        <p className={classes.dim}>
          {number(Math.min(MOST_ROWS, rows.length))} rows are shown; the numbers above count all.
        </p>
      ) : null}
    </section>
  );
}
