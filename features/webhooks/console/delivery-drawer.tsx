import { Drawer, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FactsList } from '#console/data/facts-list.tsx';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { JsonTree } from '#console/facts/json-tree.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { When } from '#console/facts/when.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/words/counts.ts';
import { type DeliveryText, readDelivery } from './api.ts';
import { WEBHOOKS } from './webhook-dialog.tsx';
import { deliveryState, KIND_WORDS } from './webhook-words.ts';
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
            'State',
            <Mark key="state" kind={kind}>
              {words}
            </Mark>,
          ],
          ['Told', KIND_WORDS[event]],
          [
            'About',
            <span key="about" className={classes.break}>
              {resource.name ?? resource.id}
            </span>,
          ],
          ['Happened', <When key="at" at={delivery.happened_at} />],
          [
            'Id',
            <span key="id" className={classes.break}>
              {delivery.id}
            </span>,
          ],
        ]}
      />
      {attempts.length === 0 ? (
        <p className={classes.note}>It was not tried yet.</p>
      ) : (
        <SimpleTable
          label="Attempts"
          rows={attempts}
          idOf={({ at }) => at}
          columns={[
            { title: 'Tried', isName: true, cell: ({ at }) => <When at={at} /> },
            { title: 'Status', isNumber: true, cell: ({ status }) => status ?? '–' },
            { title: 'Took', isNumber: true, cell: ({ ms }) => `${number(Math.round(ms))} ms` },
            { title: 'Problem', isWide: true, cell: ({ error }) => error ?? 'none' },
          ]}
        />
      )}
      {body === null ? null : (
        <>
          <span>
            <CopyButton text={body} words="Copy the body" />
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
export function DeliveryDrawer({ webhook, id, close }: Props) {
  const { call } = useParts();
  const query = useQuery({
    queryKey: [...WEBHOOKS, 'delivery', id],
    queryFn: ({ signal }) => readDelivery(call, webhook, id ?? '', signal),
    enabled: id !== null,
  });
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Delivery">
      <Region query={query} what="The delivery">
        {(delivery) => <Body delivery={delivery} />}
      </Region>
    </Drawer>
  );
}
