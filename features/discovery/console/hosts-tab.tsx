import { Button, Group, Modal, Stack } from '@mantine/core';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeCi, readCi } from '#console/api/cmdb/cmdb.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { CiPicker, type PickedCi } from '#console/cis/ci-picker.tsx';
import { fieldWords } from '#console/cis/ci-words.ts';
import { DiffTable } from '#console/cis/diff-table.tsx';
import { MakeDialog } from '#console/cis/make-dialog.tsx';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/components/age.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import type { UnboundData, UnboundHost } from './api.ts';
import classes from './discovery.module.css';
import { bindingOf, draftOfHost, hostName } from './discovery-text.ts';
import * as text from './texts.ts';

interface Props {
  readonly host: UnboundHost;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

/** Binds a host to a CI: its name becomes an attribute that events match. */
function BindDialog({ host, onClose, done }: Props) {
  const { call } = useAppServices();
  const [picked, setPicked] = useState<PickedCi | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isOther, setOther] = useState(false);
  const read = useRead(['cis', 'one', picked?.id], (call, signal) => readCi(call, picked?.id ?? '', signal), {
    enabled: picked !== null,
  });
  const binding = read.data === undefined ? null : bindingOf(host, read.data.ci);
  const name = hostName(host);
  const save = async (): Promise<void> => {
    if (read.data === undefined || binding === null) return;
    setBusy(true);
    setOther(false);
    try {
      await changeCi(call, read.data.ci._id, { attributes: binding }, read.data.etag);
      showToast({ text: text.boundHost(name, read.data.ci.name) });
      onClose();
      done();
    } catch (error) {
      if (isProblem(error, 412)) setOther(true);
      else showError(text.couldntUpdateCi, error);
      await read.refetch();
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title={text.bindHost(name)} size="lg">
      <Stack gap="md">
        <CiPicker label={text.ci} picked={picked} onPick={setPicked} />
        {isOther ? (
          <p className={classes.caution} role="alert">
            {text.someoneElseChangedCi}
          </p>
        ) : null}
        {picked === null ? null : (
          <Region query={read} what={nouns.ci}>
            {() =>
              binding === null ? (
                <p className={classes.caution}>{text.noFreeField}</p>
              ) : (
                <>
                  <p className={classes.dim}>
                    {text.emptyField(Object.keys(binding).map(fieldWords).join(', '), picked.name)}
                  </p>
                  <DiffTable
                    changes={Object.entries(binding).map(([key, after]) => ({
                      field: `attributes.${key}`,
                      before: null,
                      after,
                    }))}
                  />
                </>
              )
            }
          </Region>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button disabled={binding === null} loading={isBusy} onClick={() => void save()}>
            {text.bind}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

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
        {ambiguous ? <span className={classes.caution}> {text.matchesSeveralCis}</span> : null}
        <span className={classes.hostEvent}>
          <SeverityMark severity={last.severity} bare />
          <PageLink to={`/events?event=${last.eventId}`}>{last.title}</PageLink>
          <span className={classes.dim}>
            <Age since={last.lastOccurrence} />, {count(events, 'event')}
          </span>
        </span>
      </span>
      {mayWrite ? (
        <span className={classes.ways}>
          <Button variant="default" onClick={make}>
            {text.createCi}
          </Button>
          <Button variant="default" onClick={bind}>
            {text.bindToCi}
          </Button>
        </span>
      ) : null}
    </li>
  );
}

/** Hosts that events are about and no CI is. */
export function HostsTab({ hosts }: { readonly hosts: UseQueryResult<UnboundData> }) {
  const queries = useQueryClient();
  const mayWrite = useMay('cmdb.write');
  const [making, setMaking] = useState<UnboundHost | null>(null);
  const [binding, setBinding] = useState<UnboundHost | null>(null);
  const done = () => queries.invalidateQueries({ queryKey: ['discovery', 'hosts'] });
  return (
    <>
      <Region query={hosts} what={nouns.unboundHosts} skeleton={<Skeleton rows={5} height={56} />}>
        {({ hosts: found, events, truncated }) =>
          found.length === 0 ? (
            <Notice title={text.allHostsBound}>
              {events === 0
                ? null
                : `${count(events, 'event')} without a CI ${events === 1 ? 'has' : 'have'} no hostname.`}
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
              {truncated ? <p className={classes.dim}>{text.showingFirstHosts}</p> : null}
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
