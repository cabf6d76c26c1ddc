import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Mark } from '#console/components/mark/mark.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { ageColumn, type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { listWebhooks, type WebhookData, type WebhookSecret } from './api.ts';
import * as text from './texts.ts';
import { NewWebhookDialog, WEBHOOKS } from './webhook-dialog.tsx';
import { FORMAT_WORDS, filterWords, kindsWords, standOf } from './webhook-text.ts';

const READ_MS = 20_000;

const columnsAt = (now: number): readonly SimpleColumn<WebhookData>[] => [
  {
    title: text.webhook,
    isName: true,
    cell: ({ id, name, url, format }) => (
      <NameCell
        name={<Link to={`/admin/webhooks/${id}`}>{name}</Link>}
        note={`${new URL(url).host}, ${FORMAT_WORDS[format]}`}
      />
    ),
    value: ({ name }) => name,
  },
  {
    title: text.events,
    cell: ({ events, filter }) => <NameCell name={kindsWords(events)} note={filterWords(filter)} />,
    value: ({ events }) => kindsWords(events),
  },
  {
    title: text.status,
    cell: (webhook) => {
      const { kind, words } = standOf(webhook, now);
      return <Mark kind={kind}>{words}</Mark>;
    },
    value: (webhook) => standOf(webhook, now).words,
  },
  ageColumn(text.lastDelivered, ({ last_success_at: at }) => at, text.never),
  ageColumn(text.lastFailure, ({ last_failure_at: at }) => at, text.none),
];

/** Receivers outside, and their subscriptions. */
export function WebhooksPage() {
  const columns = columnsAt(useAppServices().clock.now());
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<WebhookSecret | null>(null);
  const webhooks = useRead([...WEBHOOKS, 'list'], (call, signal) => listWebhooks(call, signal), {
    refetchInterval: READ_MS,
  });
  return (
    <AdminPage
      title={text.webhooks}
      lead={text.webhooksLead}
      actions={<Button onClick={() => setNew(true)}>{text.createWebhook}</Button>}
    >
      <Section title={text.webhooks} flush end={<ExportRows name="webhooks" columns={columns} rows={webhooks.data} />}>
        <Region query={webhooks} what={nouns.webhooks}>
          {(rows) =>
            rows.length === 0 ? (
              <Notice title={text.noWebhooksYet}>{text.noWebhooksYetHint}</Notice>
            ) : (
              <SimpleTable
                label={text.webhooks}
                rows={rows}
                idOf={({ id }) => id}
                columns={columns}
                isDim={({ active }) => !active}
              />
            )
          }
        </Region>
      </Section>
      {isNew ? <NewWebhookDialog onClose={() => setNew(false)} onMade={setMade} /> : null}
      {made === null ? null : (
        <SecretDialog secret={made.secret} title={text.secretOf(made.name)} onClose={() => setMade(null)}>
          {text.secretHint}
        </SecretDialog>
      )}
    </AdminPage>
  );
}
