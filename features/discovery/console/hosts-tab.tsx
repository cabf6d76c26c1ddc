import { Button } from '@mantine/core';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MakeDialog } from '#console/cis/make-dialog.tsx';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/facts/age.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import type { UnboundHost, UnboundShown } from './api.ts';
import { BindDialog } from './bind-dialog.tsx';
import classes from './discovery.module.css';
import { draftOfHost, hostName } from './discovery-words.ts';

interface RowProps {
  readonly host: UnboundHost;
  readonly mayWrite: boolean;
  readonly make: () => void;
  readonly bind: () => void;
}

function HostRow({ host, mayWrite, make, bind }: RowProps) {
  const { last_event: last, hostname, ip_address: address, events, ambiguous } = host;
  return (
    <li className={classes.hostRow}>
      <span className={classes.hostMain}>
        <strong>{hostName(host)}</strong>
        {hostname !== null && address !== null ? <span className={classes.dim}> {address}</span> : null}
        {ambiguous ? <span className={classes.caution}> several CIs fit</span> : null}
        <span className={classes.hostEvent}>
          <SeverityMark severity={last.severity} bare />
          <PageLink to={`/events?event=${last.eventId}`}>{last.title}</PageLink>
          <span className={classes.dim}>
            <Age since={last.lastOccurrence} after=" ago" />, {count(events, 'event')}
          </span>
        </span>
      </span>
      {mayWrite ? (
        <span className={classes.ways}>
          <Button variant="default" onClick={make}>
            Make one
          </Button>
          <Button variant="default" onClick={bind}>
            It is this one…
          </Button>
        </span>
      ) : null}
    </li>
  );
}

/** Hosts that events are about and no CI is. */
export function HostsTab({ hosts }: { readonly hosts: UseQueryResult<UnboundShown> }) {
  const queries = useQueryClient();
  const mayWrite = useMay('cmdb.write');
  const [making, setMaking] = useState<UnboundHost | null>(null);
  const [binding, setBinding] = useState<UnboundHost | null>(null);
  const done = () => queries.invalidateQueries({ queryKey: ['discovery', 'hosts'] });
  return (
    <>
      <Region query={hosts} what="Hosts without a CI" skeleton={<Skeleton rows={5} height={56} />}>
        {({ hosts: found, events, truncated }) =>
          found.length === 0 ? (
            <Notice title="Every host that events speak of is known">
              {events === 0 ? null : `${count(events, 'event')} without a CI name no host at all.`}
            </Notice>
          ) : (
            <>
              <ul className={classes.cards} data-keys>
                {found.map((host) => (
                  <HostRow
                    key={`${host.hostname} ${host.ip_address}`}
                    host={host}
                    mayWrite={mayWrite}
                    make={() => setMaking(host)}
                    bind={() => setBinding(host)}
                  />
                ))}
              </ul>
              {truncated ? <p className={classes.dim}>There are more; they follow as these get a CI.</p> : null}
            </>
          )
        }
      </Region>
      {making === null ? null : (
        <MakeDialog opened onClose={() => setMaking(null)} given={draftOfHost(making)} made={done} />
      )}
      {binding === null ? null : <BindDialog host={binding} onClose={() => setBinding(null)} done={done} />}
    </>
  );
}
