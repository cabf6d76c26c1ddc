import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Age } from '#console/components/age.tsx';
import choice from '#console/data/choice.module.css';
import compact from '#console/data/compact-table.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { withCode } from '#console/data/with-code.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { listScans, readScan, type ScanSummaryData } from './api.ts';
import classes from './discovery.module.css';
import { hostName, OUTCOME_WORDS, outcomeWords } from './discovery-text.ts';
import * as text from './texts.ts';

const MOST = 200;
const ACTIONS = Object.entries(OUTCOME_WORDS).map(([value, words]) => ({ value, words }));

/** Results of the hosts of one scan. */
function ScanHosts({ id }: { readonly id: string }) {
  const [action, setAction] = useState('');
  const [page, setPage] = useState(1);
  const narrow = (next: string): void => {
    setAction(next);
    setPage(1);
  };
  const scan = useRead(
    ['discovery', 'scans', 'one', id, action, page],
    (call, signal) => readScan(call, id, { action: action || undefined, limit: MOST, page }, signal),
    { placeholderData: keepPreviousData },
  );
  return (
    <div className={classes.hosts}>
      <Tabs label={text.hosts} value={action} tabs={[{ value: '', words: text.all }, ...ACTIONS]} onChange={narrow} />
      <Region query={scan} what={nouns.scan}>
        {({ hosts, hosts_page }) => (
          <div className={compact.place}>
            <table className={`${compact.table} ${classes.table}`}>
              <thead>
                <tr>
                  <th>{text.host}</th>
                  <th>{text.ipAddress}</th>
                  <th>{text.result}</th>
                </tr>
              </thead>
              <tbody>
                {hosts.map((host) => (
                  <tr key={host.index}>
                    <td>
                      {host.ci_id === null ? hostName(host) : <Link to={`/cis/${host.ci_id}`}>{hostName(host)}</Link>}
                    </td>
                    <td>{host.ip_address}</td>
                    <td className={host.action === 'failed' ? classes.bad : undefined}>
                      {OUTCOME_WORDS[host.action]}
                      {host.matched_by === null ? '' : text.matchedBy(host.matched_by.replaceAll('_', ' '))}
                      {host.reason === null ? '' : `: ${host.reason}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {hosts.length === 0 ? <p className={classes.dim}>{text.noMatchingHosts}</p> : null}
            {hosts_page.pages > 1 ? (
              <p className={classes.dim}>
                {text.pageRange(
                  number((page - 1) * MOST + 1),
                  number((page - 1) * MOST + hosts.length),
                  count(hosts_page.total, 'host'),
                )}{' '}
                <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {text.previous}
                </Button>{' '}
                <Button variant="default" disabled={page >= hosts_page.pages} onClick={() => setPage(page + 1)}>
                  {text.next}
                </Button>
              </p>
            ) : null}
          </div>
        )}
      </Region>
    </div>
  );
}

const PAGE = 20;

function State({ scan }: { readonly scan: ScanSummaryData }) {
  const { status, hosts_done: done, hosts_total: total, error } = scan;
  if (status === 'running')
    return (
      <span className={classes.running} role="status">
        <progress value={done} max={Math.max(1, total)} aria-label={text.progress} />{' '}
        {text.progressOf(number(done), number(total))}
      </span>
    );
  return status === 'failed' ? (
    <span className={classes.bad}>
      {text.failed}
      {error === null ? '' : `: ${error}`}
    </span>
  ) : (
    <span>{text.completed}</span>
  );
}

/** Scans, the newest first; one of them opened. */
export function ScansTab({ address }: { readonly address: Address }) {
  const [page, setPage] = useState(1);
  const scans = useRead(
    ['discovery', 'scans', page],
    (call, signal) => listScans(call, { limit: PAGE, page }, signal),
    { placeholderData: keepPreviousData },
  );
  useLive(['scans'], () => scans.refetch(), undefined, 1_000);
  const open = address.query.scan;
  return (
    <Region query={scans} what={nouns.scans} skeleton={<Skeleton rows={5} height={44} />}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Notice title={text.noScansYet}>{withCode(text.submitScans)}</Notice>
        ) : (
          <>
            <ul className={classes.cards} data-keys>
              {data.map((scan) => (
                <li key={scan.scan_id} className={classes.card}>
                  <button
                    type="button"
                    className={`${choice.choice} ${classes.cardHead}`}
                    aria-expanded={open === scan.scan_id}
                    onClick={() => address.change({ scan: open === scan.scan_id ? null : scan.scan_id })}
                  >
                    <strong>{scan.scanner_id}</strong>
                    <span className={classes.dim}>
                      {scan.scan_type} · <Age since={scan.submitted_at} />
                    </span>
                    <State scan={scan} />
                    <span className={classes.sum}>
                      {count(scan.hosts_total, 'host')}: {outcomeWords(scan)}
                    </span>
                  </button>
                  {open === scan.scan_id ? <ScanHosts id={scan.scan_id} /> : null}
                </li>
              ))}
            </ul>
            {pagination.pages > 1 ? (
              <p className={classes.pages}>
                {text.pageOf(page, pagination.pages)}
                <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {text.newer}
                </Button>
                <Button variant="default" disabled={page >= pagination.pages} onClick={() => setPage(page + 1)}>
                  {text.older}
                </Button>
              </p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
