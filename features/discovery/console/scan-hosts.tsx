import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import compact from '#console/data/compact-table.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Region } from '#console/states/region.tsx';
import { count, number } from '#console/words/counts.ts';
import { readScan } from './api.ts';
import classes from './discovery.module.css';
import { hostName, OUTCOME_WORDS } from './discovery-words.ts';

const MOST = 200;
const ACTIONS = Object.entries(OUTCOME_WORDS).map(([value, words]) => ({ value, words }));

/** Results of the hosts of one scan. */
export function ScanHosts({ id }: { readonly id: string }) {
  const { call } = useParts();
  const [action, setAction] = useState('');
  const [page, setPage] = useState(1);
  const narrow = (next: string): void => {
    setAction(next);
    setPage(1);
  };
  const scan = useQuery({
    queryKey: ['discovery', 'scans', 'one', id, action, page],
    queryFn: ({ signal }) => readScan(call, id, { action: action || undefined, limit: MOST, page }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={classes.hosts}>
      <Tabs label="Hosts" value={action} tabs={[{ value: '', words: 'all' }, ...ACTIONS]} onChange={narrow} />
      <Region query={scan} what="The scan">
        {({ hosts, hosts_page }) => (
          <div className={compact.place}>
            <table className={`${compact.table} ${classes.table}`}>
              <thead>
                <tr>
                  <th>Host</th>
                  <th>Address</th>
                  <th>What became of it</th>
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
                      {host.matched_by === null ? '' : `, found by ${host.matched_by.replaceAll('_', ' ')}`}
                      {host.reason === null ? '' : `: ${host.reason}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {hosts.length === 0 ? <p className={classes.dim}>No such host.</p> : null}
            {hosts_page.pages > 1 ? (
              <p className={classes.dim}>
                {number((page - 1) * MOST + 1)} to {number((page - 1) * MOST + hosts.length)} of{' '}
                {count(hosts_page.total, 'host')}{' '}
                <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Previous
                </Button>{' '}
                <Button variant="default" disabled={page >= hosts_page.pages} onClick={() => setPage(page + 1)}>
                  Next
                </Button>
              </p>
            ) : null}
          </div>
        )}
      </Region>
    </div>
  );
}
