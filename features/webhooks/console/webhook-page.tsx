import { Button, Select } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import type { Call } from '#console/api/link/call.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { Age } from '#console/components/age.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import {
  changeWebhook,
  type ReadWebhook,
  readWebhook,
  removeWebhook,
  renewSecret,
  resumeWebhook,
  testWebhook,
  type WebhookDetails,
} from './api.ts';
import { Deliveries } from './deliveries.tsx';
import * as text from './texts.ts';
import { ChangeWebhookDialog, WEBHOOKS } from './webhook-dialog.tsx';
import { draftOf, inputOf } from './webhook-draft.ts';
import { FORMAT_WORDS, filterWords, KIND_WORDS, standOf } from './webhook-text.ts';
import classes from './webhooks.module.css';

const GRACES = [
  { value: '0h', label: text.stopNow },
  { value: '1h', label: text.keepValid1Hour },
  { value: '24h', label: text.keepValid24Hours },
  { value: '7d', label: text.keepValid7Days },
];

interface SecretProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onMade: (secret: string | null) => void;
}

function NewSecretDialog({ id, name, onClose, onMade }: SecretProps) {
  const { call } = useAppServices();
  const done = useDone(WEBHOOKS);
  return (
    <FormDialog
      opened
      title={text.rotateSecretOf(name)}
      action={text.rotate}
      onClose={onClose}
      send={(form) => done(async () => onMade((await renewSecret(call, id, textOf(form, 'grace'))).secret), null)}
    >
      {(problems) => (
        <Select
          name="grace"
          label={text.previousSecret}
          description={text.previousSecretHelp}
          data={GRACES}
          defaultValue="24h"
          allowDeselect={false}
          error={problems.grace}
        />
      )}
    </FormDialog>
  );
}

/** Changes by another person meanwhile stay. */
const switchOff = async (call: Call, { webhook, etag }: ReadWebhook, tries = 2): Promise<void> => {
  try {
    await changeWebhook(call, webhook.id, inputOf(draftOf(webhook), false), etag);
  } catch (error) {
    if (!isProblem(error, 412) || tries === 0) throw error;
    await switchOff(call, await readWebhook(call, webhook.id), tries - 1);
  }
};

/** Actions on one webhook. */
function WebhookActions({ read }: { readonly read: ReadWebhook }) {
  const { call } = useAppServices();
  const navigate = useNavigate();
  const attempt = useAttempt(WEBHOOKS);
  const done = useDone(WEBHOOKS);
  const [asked, setAsked] = useState<'change' | 'secret' | 'off' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { webhook } = read;
  const { id, name, active, receiver } = webhook;
  const close = (): void => setAsked(null);
  const isResting = active && receiver.rests_until !== null;
  const test = (): Promise<void> =>
    attempt(() => testWebhook(call, id), { done: text.testSent, failed: text.couldntSendTest });
  const resume = (): Promise<void> =>
    attempt(() => resumeWebhook(call, id), { done: text.enabled(name), failed: text.couldntEnable(name) });
  return (
    <>
      {active ? <Button onClick={() => void test()}>{text.sendTest}</Button> : null}
      {active && !isResting ? null : (
        <Button variant={active ? 'default' : 'filled'} onClick={() => void resume()}>
          {isResting ? text.retryNow : text.enable}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('change')}>
        {text.editLabel}
      </Button>
      <Button variant="default" onClick={() => setAsked('secret')}>
        {text.rotateSecret}
      </Button>
      {active ? (
        <Button variant="default" onClick={() => setAsked('off')}>
          {text.disable}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => setAsked('delete')}>
        {text.deleteLabel}
      </Button>
      {asked === 'change' ? <ChangeWebhookDialog read={read} onClose={close} /> : null}
      {asked === 'secret' ? <NewSecretDialog id={id} name={name} onClose={close} onMade={setSecret} /> : null}
      {asked === 'off' ? (
        <ConfirmDialog
          opened
          title={text.disableOf(name)}
          action={text.disable}
          onClose={close}
          act={() => done(() => switchOff(call, read), text.disabled(name))}
        >
          {text.disableWebhookWarning}
        </ConfirmDialog>
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          opened
          title={text.deleteOf(name)}
          action={text.deleteLabel}
          onClose={close}
          act={async () => {
            await removeWebhook(call, id);
            await navigate({ to: '/admin/webhooks' });
            await done(async () => undefined, text.deleted(name));
          }}
        >
          {text.deleteWebhookWarning}
        </ConfirmDialog>
      ) : null}
      {secret === null ? null : (
        <SecretDialog secret={secret} title={text.newSecret(name)} onClose={() => setSecret(null)}>
          {text.newSecretHint}
        </SecretDialog>
      )}
    </>
  );
}

/** Fast, while something is in flight; else at the interval of a quiet page. */
const SOON_MS = 2_000;
const LATER_MS = 20_000;

function Facts({ webhook }: { readonly webhook: WebhookDetails }) {
  const { clock } = useAppServices();
  const { url, format, events, filter, headers, receiver, earlier_secret_until: until } = webhook;
  const { kind, words } = standOf({ ...webhook, ...receiver }, clock.now());
  const names = Object.keys(headers);
  return (
    <FactsList
      facts={[
        [
          text.status,
          <span key="state">
            <Mark kind={kind}>{words}</Mark>
            {receiver.rests_until !== null && Date.parse(receiver.rests_until) > clock.now() ? (
              <>
                {' '}
                {text.until} <Timestamp at={receiver.rests_until} />
              </>
            ) : null}
          </span>,
        ],
        [text.pending, receiver.waiting === 0 ? text.none : count(receiver.waiting, 'delivery', 'deliveries')],
        [
          text.lastDelivered,
          receiver.last_success_at === null ? text.never : <Age key="at" since={receiver.last_success_at} />,
        ],
        [
          text.lastFailure,
          receiver.last_failure_at === null ? text.none : <Age key="at" since={receiver.last_failure_at} />,
        ],
        [
          text.url,
          <span key="url" className={classes.break}>
            {url}
          </span>,
        ],
        [text.format, FORMAT_WORDS[format]],
        [text.events, events.map((one) => KIND_WORDS[one]).join(', ')],
        ...(filter === null ? [] : [[text.filters, filterWords(filter)] as const]),
        ...(names.length === 0 ? [] : [[text.headers, names.join(', ')] as const]),
        ...(webhook.has_reply_secret
          ? [
              [
                text.replies,
                <span key="replies" className={classes.break}>
                  {`/api/webhooks/${webhook.id}/replies`}
                </span>,
              ] as const,
            ]
          : []),
        [
          text.secret,
          <span key="secret">
            {webhook.secret_hint}
            {until === null ? null : (
              <>
                {text.previousSecretValidUntil} <Timestamp at={until} />
              </>
            )}
          </span>,
        ],
      ]}
    />
  );
}

/** One webhook, and its deliveries. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead([...WEBHOOKS, 'one', id], (call, signal) => readWebhook(call, id, signal), {
    refetchInterval: ({ state }) => ((state.data?.webhook.receiver.waiting ?? 0) > 0 ? SOON_MS : LATER_MS),
  });
  return (
    <AdminPage
      title={query.data?.webhook.name ?? text.webhook}
      lead={<Link to="/admin/webhooks">{text.allWebhooks}</Link>}
      actions={query.data === undefined ? null : <WebhookActions read={query.data} />}
    >
      <Region query={query} what={nouns.webhook}>
        {({ webhook }) => (
          <>
            <Section title={text.status}>
              <Facts webhook={webhook} />
            </Section>
            <Deliveries id={id} />
          </>
        )}
      </Region>
    </AdminPage>
  );
}
