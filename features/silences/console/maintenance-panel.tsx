import { Button, Group, Modal, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useOnce } from '#console/actions/use-once.ts';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import rows from '#console/data/rows.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useReach } from '#console/pages/ci/use-ci.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { endSilence, listSilences, makeSilence } from './api.ts';
import * as text from './texts.ts';

const HOUR_MS = 3_600_000;
const MIN_MS = 1_000;
const MAX_SILENCES = 100;
const LENGTHS = [
  { value: '1', label: text.hour1 },
  { value: '4', label: text.hours4 },
  { value: '24', label: text.hours24 },
  { value: '168', label: text.days7 },
];

/** Silences that name this CI; silences that match it by a pattern are unknown here. */
const useCiSilences = (id: string) => {
  const silences = useRead(
    ['silences', 'of-ci', id],
    async (call, signal) => {
      const found = await listSilences(call, { limit: MAX_SILENCES }, signal);
      return found.filter(({ matcher, state }) => state !== 'past' && (matcher.ciId === id || matcher.below === id));
    },
    { enabled: useMay('events.read') },
  );
  useLive(['silences'], () => silences.refetch(), undefined, MIN_MS);
  return silences;
};

function SilenceDialog({ ci, onClose }: { readonly ci: CiFacts; readonly onClose: () => void }) {
  const { call, clock } = useAppServices();
  const queries = useQueryClient();
  const [hours, setHours] = useState('4');
  const [isBelow, setBelow] = useState(false);
  const reach = useReach(ci._id);
  const reachWords =
    reach.data === undefined ? text.includeImpactedCIs : text.include(count(reach.data.total, 'impacted CI'));
  const [make, isBusy] = useOnce(async (reason: string) => {
    const endsAt = new Date(clock.now() + Number(hours) * HOUR_MS).toISOString();
    try {
      await makeSilence(call, { matcher: isBelow ? { below: ci._id } : { ciId: ci._id }, endsAt, reason });
      showToast({ text: text.silenced(ci.name) });
      onClose();
    } catch (error) {
      showError(text.couldntSilence(ci.name), error);
    }
    await queries.invalidateQueries({ queryKey: ['silences'] });
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void make(String(new FormData(event.currentTarget).get('reason') ?? '').trim());
  };
  return (
    <Modal opened onClose={onClose} title={text.silence(ci.name)} size="md">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            label={text.duration}
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
          <TextInput name="reason" label={text.reason} required maxLength={1_024} data-autofocus />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {text.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {text.silenceLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Shows if its events are suppressed, by its state or by a silence. */
export function MaintenancePanel({ ci }: { readonly ci: CiFacts }) {
  const silences = useCiSilences(ci._id);
  const mayWrite = useMay('events.write');
  const mayRead = useMay('events.read');
  const [isOpen, setOpen] = useState(false);
  const { call } = useAppServices();
  const attempt = useAttempt(['silences']);
  const tellAgain = (id: string) =>
    attempt(() => endSilence(call, id), {
      done: text.silenceEnded,
      failed: text.couldntEndSilence,
    });
  if (!mayRead) return null;
  const end = mayWrite ? (
    <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
      {text.silenceMenu}
    </Button>
  ) : undefined;
  return (
    <Panel title={text.maintenance} end={end}>
      {ci.status === 'maintenance' ? <Nothing>{text.inMaintenance}</Nothing> : null}
      <Region query={silences} what={nouns.silences} skeleton={<Skeleton rows={1} height={30} />}>
        {(found) =>
          found.length === 0 ? (
            ci.status === 'maintenance' ? null : (
              <Nothing>{text.notSilenced}</Nothing>
            )
          ) : (
            <ul className={rows.rows}>
              {found.map(({ id, reason, createdBy, state, startsAt, endsAt, caught, matcher }) => (
                <li key={id} className={rows.row}>
                  <span className={rows.rowMain}>
                    {reason}
                    <span className={rows.rowNote}>
                      {text.silenceFacts(createdBy.name, matcher.below !== undefined, count(caught, 'event'))}
                    </span>
                  </span>
                  {state === 'planned' ? (
                    <span>
                      {text.from} <Timestamp at={startsAt} />
                    </span>
                  ) : null}
                  <span>
                    {text.until} <Timestamp at={endsAt} />
                  </span>
                  {mayWrite ? (
                    <Button variant="subtle" size="compact-xs" onClick={() => void tellAgain(id)}>
                      {text.endSilence}
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
