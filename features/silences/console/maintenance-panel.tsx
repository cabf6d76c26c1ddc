import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import rows from '#console/data/rows.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { endSilence, listSilences, type SilenceData } from './api.ts';
import { cisOf } from './matcher-text.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { draftOfCi } from './silence-draft.ts';
import * as text from './texts.ts';

const reachOf = ({ below, ciIds = [] }: SilenceData['matcher']): string => {
  if (below !== undefined) return text.withImpacted;
  return ciIds.length > 1 ? text.withOthers(count(ciIds.length - 1, 'other CI')) : text.thisCiOnly;
};

const MIN_MS = 1_000;
const MAX_SILENCES = 100;
/** Silences that name this CI; silences that match it by a pattern are unknown here. */
const useCiSilences = (id: string) => {
  const silences = useRead(
    ['silences', 'of-ci', id],
    async (call, signal) => {
      const found = await listSilences(call, { limit: MAX_SILENCES }, signal);
      return found.filter(({ matcher, state }) => state !== 'past' && cisOf(matcher).includes(id));
    },
    { enabled: useMay('events.read') },
  );
  useLive(['silences'], () => silences.refetch(), undefined, MIN_MS);
  return silences;
};

/** Shows if its events are suppressed, by its state or by a silence. */
export function MaintenancePanel({ ci }: { readonly ci: CiFacts }) {
  const silences = useCiSilences(ci._id);
  const mayWrite = useMay('events.write');
  const mayRead = useMay('events.read');
  const [isOpen, setOpen] = useState(false);
  const { call } = useAppServices();
  const attempt = useAttempt(['silences']);
  const tellAgain = (id: string) =>
    attempt(() => endSilence(call, id), { done: text.silenceEnded, failed: text.couldntEndSilence });
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
                      {text.silenceFacts(createdBy.name, reachOf(matcher), count(caught, 'event'))}
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
      <SilenceDialog draft={isOpen ? draftOfCi(ci) : null} onClose={() => setOpen(false)} />
    </Panel>
  );
}
