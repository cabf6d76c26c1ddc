import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { listWebhooks, type WebhookSecret, type WebhookShown } from './api.ts';
import { NewWebhookDialog, WEBHOOKS } from './webhook-dialog.tsx';
import { FORMAT_WORDS, filterWords, kindsWords, standOf } from './webhook-words.ts';

const READ_MS = 20_000;

function Stand({ webhook }: { readonly webhook: WebhookShown }) {
  const { clock } = useParts();
  const { kind, words } = standOf(webhook, clock.now());
  return <Mark kind={kind}>{words}</Mark>;
}

const COLUMNS: readonly SimpleColumn<WebhookShown>[] = [
  {
    title: 'Webhook',
    isName: true,
    cell: ({ id, name, url, format }) => (
      <NameCell
        name={<Link to={`/admin/webhooks/${id}`}>{name}</Link>}
        note={`${new URL(url).host}, ${FORMAT_WORDS[format]}`}
      />
    ),
  },
  {
    title: 'Is told when',
    cell: ({ events, filter }) => <NameCell name={kindsWords(events)} note={filterWords(filter)} />,
  },
  { title: 'State', cell: (webhook) => <Stand webhook={webhook} /> },
  {
    title: 'Last taken',
    cell: ({ last_success_at: at }) => (at === null ? 'never' : <Age since={at} after=" ago" />),
  },
  {
    title: 'Last failure',
    cell: ({ last_failure_at: at }) => (at === null ? 'none' : <Age since={at} after=" ago" />),
  },
];

/** Receivers outside, and their subscriptions. */
export function WebhooksPage() {
  const { call } = useParts();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<WebhookSecret | null>(null);
  const webhooks = useQuery({
    queryKey: [...WEBHOOKS, 'list'],
    queryFn: ({ signal }) => listWebhooks(call, signal),
    refetchInterval: READ_MS,
  });
  return (
    <AdminPage
      title="Webhooks"
      lead="Addresses outside that are told what happens here: chats, tickets, programs of your own."
      actions={<Button onClick={() => setNew(true)}>Make a webhook</Button>}
    >
      <Section title="Webhooks of this tenant" flush>
        <Region query={webhooks} what="The webhooks">
          {(rows) =>
            rows.length === 0 ? (
              <Notice title="Nobody is told yet">
                Make a webhook for the chat of those on call: it is told when a group is formed, and when it is over.
              </Notice>
            ) : (
              <SimpleTable
                label="Webhooks"
                rows={rows}
                idOf={({ id }) => id}
                columns={COLUMNS}
                isDim={({ active }) => !active}
              />
            )
          }
        </Region>
      </Section>
      {isNew ? <NewWebhookDialog onClose={() => setNew(false)} onMade={setMade} /> : null}
      {made === null ? null : (
        <SecretDialog secret={made.secret} title={`The secret of ${made.name}`} onClose={() => setMade(null)}>
          Each delivery is signed with it, so that the receiver knows who sent it.
        </SecretDialog>
      )}
    </AdminPage>
  );
}
