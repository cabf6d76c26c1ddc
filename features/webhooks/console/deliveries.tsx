import { Button, Drawer, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { JsonTree } from '#console/components/json-tree.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, SimpleTable, timeColumn } from '#console/data/simple-table.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { AdminList } from '#console/pages/admin/parts/admin-list.tsx';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { type DeliveryData, type DeliveryText, listDeliveries, readDelivery, redeliver, redeliverDead } from './api.ts';
import * as text from './texts.ts';
import { WEBHOOKS } from './webhook-dialog.tsx';
import { deliveryState, KIND_WORDS, lastAnswer } from './webhook-text.ts';
import classes from './webhooks.module.css';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

function Body({ delivery }: { readonly delivery: DeliveryText }) {
  const { event, resource, attempts, body } = delivery;
  const { kind, words } = deliveryState(delivery);
  return (
    <Stack gap="md">
      <FactsList
        facts={[
          [
            text.status,
            <Mark key="state" kind={kind}>
              {words}
            </Mark>,
          ],
          [text.event, KIND_WORDS[event]],
          [
            text.resource,
            <span key="about" className={classes.break}>
              {resource.name ?? resource.id}
            </span>,
          ],
          [text.time, <Timestamp key="at" at={delivery.happened_at} />],
          [
            text.id,
            <span key="id" className={classes.break}>
              {delivery.id}
            </span>,
          ],
        ]}
      />
      {attempts.length === 0 ? (
        <p className={classes.note}>{text.notAttemptedYet}</p>
      ) : (
        <SimpleTable
          label={text.attempts}
          rows={attempts}
          idOf={({ at }) => at}
          columns={[
            { ...timeColumn<DeliveryText['attempts'][number]>(text.time, ({ at }) => at), isName: true },
            { title: text.status, isNumber: true, cell: ({ status }) => status ?? '–' },
            { title: text.duration, isNumber: true, cell: ({ ms }) => `${number(Math.round(ms))} ms` },
            { title: text.error, isWide: true, cell: ({ error }) => error ?? '–' },
          ]}
        />
      )}
      {body === null ? null : (
        <>
          <span>
            <CopyButton text={body} words={text.copyBody} />
          </span>
          <JsonTree value={parsed(body)} />
        </>
      )}
    </Stack>
  );
}

interface Props {
  readonly webhook: string;
  readonly id: string | null;
  readonly close: () => void;
}

/** One delivery with its attempts and its body. */
function DeliveryDrawer({ webhook, id, close }: Props) {
  const query = useRead(
    [...WEBHOOKS, 'delivery', id],
    (call, signal) => readDelivery(call, webhook, id ?? '', signal),
    { enabled: id !== null },
  );
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="xl" title={text.delivery}>
      <Region query={query} what={nouns.delivery}>
        {(delivery) => <Body delivery={delivery} />}
      </Region>
    </Drawer>
  );
}

const STATES = [
  { value: 'all', words: text.all },
  { value: 'waiting', words: text.pending },
  { value: 'delivered', words: text.delivered },
  { value: 'dead', words: text.failed },
  { value: 'skipped', words: text.skipped },
] as const;
type DeliveryTab = (typeof STATES)[number]['value'];

/** Fast, while something is in flight; else at the interval of a quiet page. */
const SOON_MS = 2_000;
const LATER_MS = 20_000;
const isSoon = ({ status, next_attempt_at: at }: DeliveryData, now: number): boolean =>
  status === 'waiting' && (at === null || Date.parse(at) - now < LATER_MS);

const COLUMNS: readonly SimpleColumn<DeliveryData>[] = [
  timeColumn(text.time, ({ happened_at: at }) => at),
  {
    title: text.event,
    isName: true,
    cell: ({ event, resource }) => <NameCell name={KIND_WORDS[event]} note={resource.name ?? resource.id} />,
    value: ({ event, resource }) => `${KIND_WORDS[event]}, ${resource.name ?? resource.id}`,
  },
  {
    title: text.status,
    cell: (delivery) => {
      const { kind, words } = deliveryState(delivery);
      return <Mark kind={kind}>{words}</Mark>;
    },
    value: (delivery) => deliveryState(delivery).words,
  },
  { title: text.response, cell: (delivery) => lastAnswer(delivery) || '–' },
  { title: text.attempts, isNumber: true, cell: ({ attempts }) => attempts.length },
  timeColumn(text.nextAttempt, ({ next_attempt_at: at }) => at),
];

/** The deliveries in a state, refetched as long as one is in flight. */
const useDeliveries = (id: string, state: DeliveryTab) => {
  const { call, clock } = useAppServices();
  const queries = useQueryClient();
  const list = usePages(
    [...WEBHOOKS, 'deliveries', id, state],
    (cursor, signal) => listDeliveries(call, id, { cursor, status: state === 'all' ? undefined : state }, signal),
    (rows) => (rows.some((one) => isSoon(one, clock.now())) ? SOON_MS : LATER_MS),
  );
  const states = list.rows.map((one) => `${one.id} ${one.status}`).join();
  // The result of a delivery decides the state of the webhook.
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetched when a delivery has another state.
  useEffect(() => void queries.invalidateQueries({ queryKey: [...WEBHOOKS, 'one', id] }), [queries, id, states]);
  return list;
};

function AllAgain({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { call } = useAppServices();
  const done = useDone(WEBHOOKS);
  return (
    <ConfirmDialog
      opened
      title={text.redeliverAllTitle}
      action={text.redeliver}
      onClose={close}
      act={() =>
        done(async () => {
          const { redelivered } = await redeliverDead(call, id);
          showToast({ text: text.redelivering(count(redelivered, 'delivery', 'deliveries')) });
        }, null)
      }
    >
      {text.redeliverDeliveriesWarning}
    </ConfirmDialog>
  );
}

const Nothing = ({ state }: { readonly state: DeliveryTab }) =>
  state === 'all' ? (
    <Notice title={text.noDeliveriesYet}>{text.noDeliveriesYetHint}</Notice>
  ) : (
    <Notice title={text.noDeliveriesWithStatus}>{text.noDeliveriesWithStatusHint}</Notice>
  );

/** Deliveries to a webhook, and their results. */
export function Deliveries({ id }: { readonly id: string }) {
  const { call } = useAppServices();
  const address = useAddress();
  const attempt = useAttempt(WEBHOOKS);
  const [isSure, setSure] = useState(false);
  const state = STATES.find(({ value }) => value === address.query.status)?.value ?? 'all';
  const list = useDeliveries(id, state);
  const sendAgain = (delivery: string): Promise<void> =>
    attempt(() => redeliver(call, id, delivery), { done: text.redeliveringOne, failed: text.couldntRedeliver });
  return (
    <>
      <AdminList
        title={text.deliveries}
        what={nouns.deliveries}
        list={list}
        idOf={(one) => one.id}
        columns={COLUMNS}
        isCurrent={(one) => one.id === address.query.delivery}
        end={
          <>
            <Tabs<DeliveryTab>
              label={text.deliveryStatus}
              value={state}
              tabs={STATES}
              onChange={(value) => address.change({ status: value === 'all' ? null : value })}
            />
            {state === 'dead' && list.rows.length > 0 ? (
              <Button variant="default" onClick={() => setSure(true)}>
                {text.redeliverAll}
              </Button>
            ) : null}
          </>
        }
        empty={<Nothing state={state} />}
        actions={({ id: delivery, event, status }) => (
          <>
            <RowButton words={text.show} of={KIND_WORDS[event]} isMain onClick={() => address.change({ delivery })} />
            {status === 'dead' || status === 'delivered' ? (
              <RowButton words={text.redeliver} of={`: ${KIND_WORDS[event]}`} onClick={() => sendAgain(delivery)} />
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
