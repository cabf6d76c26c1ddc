import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import choice from '#console/data/choice.module.css';
import { Age } from '#console/facts/age.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/words/counts.ts';
import { listScans, type ScanShown } from './api.ts';
import classes from './discovery.module.css';
import { outcomeWords } from './discovery-words.ts';
import { ScanHosts } from './scan-hosts.tsx';

const PAGE = 20;

function State({ scan }: { readonly scan: ScanShown }) {
  const { status, hosts_done: done, hosts_total: total, error } = scan;
  if (status === 'running')
    return (
      <span className={classes.running} role="status">
        <progress value={done} max={Math.max(1, total)} aria-label="Progress" /> {number(done)} of {number(total)}
      </span>
    );
  return status === 'failed' ? (
    <span className={classes.bad}>failed{error === null ? '' : `: ${error}`}</span>
  ) : (
    <span>done</span>
  );
}

/** Scans, the newest first; one of them opened. */
export function ScansTab({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const [page, setPage] = useState(1);
  const scans = useQuery({
    queryKey: ['discovery', 'scans', page],
    queryFn: ({ signal }) => listScans(call, { limit: PAGE, page }, signal),
    placeholderData: keepPreviousData,
  });
  useLive(['scans'], () => scans.refetch(), undefined, 1_000);
  const open = address.query.scan;
  return (
    <Region query={scans} what="The scans" skeleton={<Skeleton rows={5} height={44} />}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Notice title="No scan has arrived yet">
            A scanner gives in what it sees with a token of its own: <code>faultline import nmap</code> and{' '}
            <code>faultline import ansible</code> send what these tools write.
          </Notice>
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
                      {scan.scan_type} · <Age since={scan.submitted_at} after=" ago" />
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
                Page {page} of {pagination.pages}
                <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button variant="default" disabled={page >= pagination.pages} onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              </p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
