import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeCi, readCi } from '#console/api/cmdb/cmdb.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { CiPicker, type PickedCi } from '#console/cis/ci-picker.tsx';
import { fieldWords } from '#console/cis/ci-words.ts';
import { DiffTable } from '#console/cis/diff-table.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Region } from '#console/states/region.tsx';
import type { UnboundHost } from './api.ts';
import classes from './discovery.module.css';
import { bindingOf, hostName } from './discovery-words.ts';

interface Props {
  readonly host: UnboundHost;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

/** Says which CI a host is: its name becomes an attribute by which events find the CI. */
export function BindDialog({ host, onClose, done }: Props) {
  const { call } = useParts();
  const [picked, setPicked] = useState<PickedCi | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isOther, setOther] = useState(false);
  const read = useQuery({
    queryKey: ['cis', 'one', picked?.id],
    queryFn: ({ signal }) => readCi(call, picked?.id ?? '', signal),
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
      say({ text: `Events of ${name} find ${read.data.ci.name} now` });
      onClose();
      done();
    } catch (error) {
      if (isProblem(error, 412)) setOther(true);
      else sayFailure('The CI could not be changed', error);
      await read.refetch();
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title={`Which CI is ${name}?`} size="lg">
      <Stack gap="md">
        <CiPicker label="CI" picked={picked} onPick={setPicked} />
        {isOther ? (
          <p className={classes.caution} role="alert">
            Somebody else has changed this CI meanwhile. What would be set now stands below.
          </p>
        ) : null}
        {picked === null ? null : (
          <Region query={read} what="The CI">
            {() =>
              binding === null ? (
                <p className={classes.caution}>
                  Its host name, FQDN and address say something else. Change one of them on its page, if they are wrong.
                </p>
              ) : (
                <>
                  <p className={classes.dim}>
                    {Object.keys(binding).map(fieldWords).join(', ')} of {picked.name} is free: with it, events find the
                    CI, those that are open now too.
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
            Cancel
          </Button>
          <Button disabled={binding === null} loading={isBusy} onClick={() => void save()}>
            It is this one
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
