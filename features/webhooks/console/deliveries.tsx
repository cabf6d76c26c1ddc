import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { RowButton } from '#console/data/row-button.tsx';
import type { SimpleColumn } from '#console/data/simple-table.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { AdminList } from '#console/pages/admin/parts/admin-list.tsx';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { count } from '#console/words/counts.ts';
import { type DeliveryShown, listDeliveries, redeliver, redeliverDead } from './api.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { WEBHOOKS } from './webhook-dialog.tsx';
import { deliveryState, KIND_WORDS, lastAnswer } from './webhook-words.ts';

const STATES = [
  { value: 'all', words: 'All' },
  { value: 'waiting', words: 'Waiting' },
  { value: 'delivered', words: 'Taken' },
  { value: 'dead', words: 'Given up' },
  { value: 'skipped', words: 'Not sent' },
] as const;
type State = (typeof STATES)[number]['value'];

/** Soon, while something is on its way; else as often as a quiet page may. */
const SOON_MS = 2_000;
const LATER_MS = 20_000;
const isSoon = ({ status, next_attempt_at: at }: DeliveryShown, now: number): boolean =>
  status === 'waiting' && (at === null || Date.parse(at) - now < LATER_MS);

const COLUMNS: readonly SimpleColumn<DeliveryShown>[] = [
  { title: 'Happened', cell: ({ happened_at: at }) => <When at={at} /> },
  {
    title: 'What',
    isName: true,
    cell: ({ event, resource }) => <NameCell name={KIND_WORDS[event]} note={resource.name ?? resource.id} />,
  },
  {
    title: 'State',
    cell: (delivery) => {
      const { kind, words } = deliveryState(delivery);
      return <Mark kind={kind}>{words}</Mark>;
    },
  },
  { title: 'Answer', cell: (delivery) => lastAnswer(delivery) || '–' },
  { title: 'Tries', isNumber: true, cell: ({ attempts }) => attempts.length },
  { title: 'Next try', cell: ({ next_attempt_at: at }) => (at === null ? '–' : <When at={at} />) },
];

/** The deliveries in a state, read anew as long as one is on its way. */
const useDeliveries = (id: string, state: State) => {
  const { call, clock } = useParts();
  const queries = useQueryClient();
  const list = usePages(
    [...WEBHOOKS, 'deliveries', id, state],
    (cursor, signal) => listDeliveries(call, id, { cursor, status: state === 'all' ? undefined : state }, signal),
    (rows) => (rows.some((one) => isSoon(one, clock.now())) ? SOON_MS : LATER_MS),
  );
  const states = list.rows.map((one) => `${one.id} ${one.status}`).join();
  // The result of a delivery decides the state of the webhook.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew when a delivery has another state.
  useEffect(() => void queries.invalidateQueries({ queryKey: [...WEBHOOKS, 'one', id] }), [queries, id, states]);
  return list;
};

function AllAgain({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { call } = useParts();
  const done = useDone(WEBHOOKS);
  return (
    <ConfirmDialog
      opened
      title="Send all again that were given up"
      action="Send again"
      onClose={close}
      act={() =>
        done(async () => {
          const { redelivered } = await redeliverDead(call, id);
          say({ text: `${count(redelivered, 'delivery', 'deliveries')} sent again` });
        }, null)
      }
    >
      At most 1,000 at once, the newest first, each with the id and body that it had: a receiver can tell that it has
      seen one.
    </ConfirmDialog>
  );
}

const Nothing = ({ state }: { readonly state: State }) =>
  state === 'all' ? (
    <Notice title="Nothing was sent yet">Send a test, and see here whether it is taken.</Notice>
  ) : (
    <Notice title="None is in this state">Others are under “All”.</Notice>
  );

/** Deliveries to a webhook, and their results. */
export function Deliveries({ id }: { readonly id: string }) {
  const { call } = useParts();
  const address = useAddress();
  const attempt = useAttempt(WEBHOOKS);
  const [isSure, setSure] = useState(false);
  const state = STATES.find(({ value }) => value === address.query.status)?.value ?? 'all';
  const list = useDeliveries(id, state);
  const sendAgain = (delivery: string): Promise<void> =>
    attempt(() => redeliver(call, id, delivery), {
      done: 'It is sent again, with the same id and body',
      failed: 'It could not be sent again',
    });
  return (
    <>
      <AdminList
        title="Deliveries"
        what="The deliveries"
        list={list}
        idOf={(one) => one.id}
        columns={COLUMNS}
        isCurrent={(one) => one.id === address.query.delivery}
        end={
          <>
            <Tabs<State>
              label="State of the deliveries"
              value={state}
              tabs={STATES}
              onChange={(value) => address.change({ status: value === 'all' ? null : value })}
            />
            {state === 'dead' && list.rows.length > 0 ? (
              <Button variant="default" onClick={() => setSure(true)}>
                Send all again
              </Button>
            ) : null}
          </>
        }
        empty={<Nothing state={state} />}
        actions={({ id: delivery, event, status }) => (
          <>
            <RowButton words="Show" of={KIND_WORDS[event]} isMain onClick={() => address.change({ delivery })} />
            {status === 'dead' || status === 'delivered' ? (
              <RowButton words="Send again" of={`: ${KIND_WORDS[event]}`} onClick={() => sendAgain(delivery)} />
            ) : null}
          </>
        )}
      />
      <DeliveryDrawer
        webhook={id}
        id={address.query.delivery ?? null}
        close={() => address.change({ delivery: null })}
      />
      {isSure ? <AllAgain id={id} close={() => setSure(false)} /> : null}
    </>
  );
}
