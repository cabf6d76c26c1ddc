import { Button, Group, Modal, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useOnce } from '#console/actions/use-once.ts';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { Nothing } from '#console/cis/panels.tsx';
import rows from '#console/data/rows.module.css';
import { When } from '#console/facts/when.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useReach } from '#console/pages/ci/use-ci.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { endSilence, listSilences, makeSilence } from './api.ts';

const HOUR_MS = 3_600_000;
const LEAST_MS = 1_000;
const MOST_SILENCES = 100;
const LENGTHS = [
  { value: '1', label: 'an hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: 'a day' },
  { value: '168', label: 'a week' },
];

/** Silences that name this CI; those that catch it by a pattern are not known here. */
const useCiSilences = (id: string) => {
  const { call } = useParts();
  const silences = useQuery({
    queryKey: ['silences', 'of-ci', id],
    queryFn: async ({ signal }) => {
      const found = await listSilences(call, { limit: MOST_SILENCES }, signal);
      return found.filter(({ matcher, state }) => state !== 'past' && (matcher.ciId === id || matcher.below === id));
    },
    enabled: useMay('events.read'),
  });
  useLive(['silences'], () => silences.refetch(), undefined, LEAST_MS);
  return silences;
};

function SilenceDialog({ ci, onClose }: { readonly ci: CiFacts; readonly onClose: () => void }) {
  const { call, clock } = useParts();
  const queries = useQueryClient();
  const [hours, setHours] = useState('4');
  const [isBelow, setBelow] = useState(false);
  const reach = useReach(ci._id);
  const reachWords =
    reach.data === undefined ? 'Include impacted CIs' : `Include ${count(reach.data.total, 'impacted CI')}`;
  const [make, isBusy] = useOnce(async (reason: string) => {
    const endsAt = new Date(clock.now() + Number(hours) * HOUR_MS).toISOString();
    try {
      await makeSilence(call, { matcher: isBelow ? { below: ci._id } : { ciId: ci._id }, endsAt, reason });
      say({ text: `Silenced ${ci.name}` });
      onClose();
    } catch (error) {
      sayFailure(`Couldn't silence ${ci.name}`, error);
    }
    await queries.invalidateQueries({ queryKey: ['silences'] });
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void make(String(new FormData(event.currentTarget).get('reason') ?? '').trim());
  };
  return (
    <Modal opened onClose={onClose} title={`Silence ${ci.name}`} size="md">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            label="For"
            data={LENGTHS}
            value={hours}
            allowDeselect={false}
            onChange={(next) => setHours(next ?? '4')}
          />
          <Switch
            label={reachWords}
            checked={isBelow}
            onChange={({ currentTarget }) => setBelow(currentTarget.checked)}
          />
          <TextInput name="reason" label="Reason" required maxLength={1_024} data-autofocus />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Silence
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Whether its events are suppressed, by its state or by a silence. */
export function MaintenancePanel({ ci }: { readonly ci: CiFacts }) {
  const silences = useCiSilences(ci._id);
  const mayWrite = useMay('events.write');
  const mayRead = useMay('events.read');
  const [isOpen, setOpen] = useState(false);
  const { call } = useParts();
  const attempt = useAttempt(['silences']);
  const tellAgain = (id: string) =>
    attempt(() => endSilence(call, id), {
      done: 'Silence ended',
      failed: "Couldn't end the silence",
    });
  if (!mayRead) return null;
  const end = mayWrite ? (
    <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
      Silence…
    </Button>
  ) : undefined;
  return (
    <Panel title="Maintenance" end={end}>
      {ci.status === 'maintenance' ? (
        <Nothing>It is in maintenance: its new events are suppressed until its state is another one.</Nothing>
      ) : null}
      <Region query={silences} what="Its silences" skeleton={<Skeleton rows={1} height={30} />}>
        {(found) =>
          found.length === 0 ? (
            ci.status === 'maintenance' ? null : (
              <Nothing>Not silenced.</Nothing>
            )
          ) : (
            <ul className={rows.rows}>
              {found.map(({ id, reason, createdBy, state, startsAt, endsAt, caught, matcher }) => (
                <li key={id} className={rows.row}>
                  <span className={rows.rowMain}>
                    {reason}
                    <span className={rows.rowNote}>
                      {createdBy.name}; {matcher.below === undefined ? 'this CI only' : 'with impacted CIs'};{' '}
                      {count(caught, 'event')} held back
                    </span>
                  </span>
                  {state === 'planned' ? (
                    <span>
                      from <When at={startsAt} />
                    </span>
                  ) : null}
                  <span>
                    until <When at={endsAt} />
                  </span>
                  {mayWrite ? (
                    <Button variant="subtle" size="compact-xs" onClick={() => void tellAgain(id)}>
                      End silence
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Region>
      {isOpen ? <SilenceDialog ci={ci} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}
