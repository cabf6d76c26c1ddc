import { ActionIcon, Button } from '@mantine/core';
import { Age } from '#console/facts/age.tsx';
import { Icon } from '#console/facts/icon.tsx';
import { Section } from '#console/frame/section.tsx';
import { Notice } from '#console/states/notice.tsx';
import { number } from '#console/words/counts.ts';
import type { ReportShown } from './api.ts';
import classes from './reports.module.css';

interface Props {
  readonly reports: readonly ReportShown[];
  readonly total: number;
  readonly mayWrite: boolean;
  readonly download: (report: ReportShown) => void;
  readonly remove: (report: ReportShown) => void;
}

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function State({ report }: { readonly report: ReportShown }) {
  if (report.status === 'failed')
    return <span className={classes.bad}>failed: {report.error ?? 'it was given up'}</span>;
  if (report.status === 'generating') return <span role="status">being made…</span>;
  return <span>{report.size_bytes === null ? 'ready' : size(report.size_bytes)}</span>;
}

/** Own reports and those that colleagues share, the newest first. */
export function ReportList({ reports, total, mayWrite, download, remove }: Props) {
  return (
    <Section flush title="Reports" end={<span className={classes.small}>kept for 7 days</span>}>
      {reports.length === 0 ? (
        <Notice title="No report yet">
          {mayWrite ? 'Choose what it tells and make the first one.' : 'Nobody shares one with you.'}
        </Notice>
      ) : (
        <ul className={classes.list}>
          {reports.map((report) => (
            <li key={report.report_id} className={classes.report}>
              <div className={classes.reportText}>
                <strong>{report.name}</strong> <span className={classes.dim}>{report.format.toUpperCase()}</span>
                <br />
                <span className={classes.small}>
                  {report.created_by.name}, <Age since={report.created_at} after=" ago" /> · <State report={report} />
                  {report.shared ? ' · shared' : ''}
                </span>
              </div>
              {report.status === 'completed' ? (
                <Button variant="default" onClick={() => download(report)} aria-label={`Download ${report.name}`}>
                  Download
                </Button>
              ) : null}
              {mayWrite ? (
                <ActionIcon aria-label={`Delete ${report.name}`} onClick={() => remove(report)}>
                  <Icon name="close" />
                </ActionIcon>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {total > reports.length ? (
        <p className={classes.more}>
          The newest {number(reports.length)} of {number(total)} are shown.
        </p>
      ) : null}
    </Section>
  );
}
