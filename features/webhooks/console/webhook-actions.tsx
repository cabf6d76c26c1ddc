import { Button, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import type { Call } from '#console/api/link/call.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import {
  changeWebhook,
  type ReadWebhook,
  readWebhook,
  removeWebhook,
  renewSecret,
  resumeWebhook,
  testWebhook,
} from './api.ts';
import { ChangeWebhookDialog, WEBHOOKS } from './webhook-dialog.tsx';
import { draftOf, wishOf } from './webhook-draft.ts';

const GRACES = [
  { value: '0h', label: 'It ends at once' },
  { value: '1h', label: 'It signs for an hour more' },
  { value: '24h', label: 'It signs for a day more' },
  { value: '7d', label: 'It signs for a week more' },
];

interface SecretProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onMade: (secret: string | null) => void;
}

function NewSecretDialog({ id, name, onClose, onMade }: SecretProps) {
  const { call } = useParts();
  const done = useDone(WEBHOOKS);
  return (
    <FormDialog
      opened
      title={`New secret for ${name}`}
      action="Make it"
      onClose={onClose}
      send={(form) => done(async () => onMade((await renewSecret(call, id, textOf(form, 'grace'))).secret), null)}
    >
      {(problems) => (
        <Select
          name="grace"
          label="The secret before it"
          description="While both sign, the receiver can be changed without losing a delivery."
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
    await changeWebhook(call, webhook.id, wishOf(draftOf(webhook), false), etag);
  } catch (error) {
    if (!isProblem(error, 412) || tries === 0) throw error;
    await switchOff(call, await readWebhook(call, webhook.id), tries - 1);
  }
};

/** Actions on one webhook. */
export function WebhookActions({ read }: { readonly read: ReadWebhook }) {
  const { call } = useParts();
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
    attempt(() => testWebhook(call, id), {
      done: 'A test is on its way; what becomes of it is in the list',
      failed: 'No test could be sent',
    });
  const resume = (): Promise<void> =>
    attempt(() => resumeWebhook(call, id), { done: `${name} is on`, failed: `${name} could not be switched on` });
  return (
    <>
      {active ? <Button onClick={() => void test()}>Send a test</Button> : null}
      {active && !isResting ? null : (
        <Button variant={active ? 'default' : 'filled'} onClick={() => void resume()}>
          {isResting ? 'End its rest' : 'Switch on'}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('change')}>
        Change
      </Button>
      <Button variant="default" onClick={() => setAsked('secret')}>
        New secret
      </Button>
      {active ? (
        <Button variant="default" onClick={() => setAsked('off')}>
          Switch off
        </Button>
      ) : null}
      <Button variant="default" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'change' ? <ChangeWebhookDialog read={read} onClose={close} /> : null}
      {asked === 'secret' ? <NewSecretDialog id={id} name={name} onClose={close} onMade={setSecret} /> : null}
      {asked === 'off' ? (
        <ConfirmDialog
          opened
          title={`Switch ${name} off`}
          action="Switch off"
          onClose={close}
          act={() => done(() => switchOff(call, read), `${name} is off: nothing is sent to it`)}
        >
          Nothing is sent to it, and what happens meanwhile is not sent later.
        </ConfirmDialog>
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          opened
          title={`Delete ${name}`}
          action="Delete"
          onClose={close}
          act={async () => {
            await removeWebhook(call, id);
            await navigate({ to: '/admin/webhooks' });
            await done(async () => undefined, `${name} is deleted`);
          }}
        >
          What waits for it is not sent, and its deliveries and its secret are gone.
        </ConfirmDialog>
      ) : null}
      {secret === null ? null : (
        <SecretDialog secret={secret} title={`The new secret of ${name}`} onClose={() => setSecret(null)}>
          Each delivery is signed with it from now on.
        </SecretDialog>
      )}
    </>
  );
}
