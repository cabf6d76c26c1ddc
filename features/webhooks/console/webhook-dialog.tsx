import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { Conflicts } from '#console/forms/conflicts.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { changeWebhook, makeWebhook, type ReadWebhook, readWebhook, type WebhookSecret } from './api.ts';
import * as text from './texts.ts';
import { changesOf, conflictsOf, draftOf, inputOf, merged, NEW_WEBHOOK } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

export const WEBHOOKS = ['webhooks'] as const;

interface NewProps {
  readonly onClose: () => void;
  readonly onMade: (made: WebhookSecret) => void;
}

export function NewWebhookDialog({ onClose, onMade }: NewProps) {
  const { call } = useAppServices();
  const done = useDone(WEBHOOKS);
  const [draft, setDraft] = useState(NEW_WEBHOOK);
  return (
    <FormDialog
      opened
      title={text.createWebhook}
      action={text.create}
      size="lg"
      isReady={draft.events.length > 0}
      onClose={onClose}
      send={() => done(async () => onMade(await makeWebhook(call, inputOf(draft, true))), null)}
    >
      {(problems) => (
        <WebhookFields
          draft={draft}
          headers={[]}
          hasSecret={false}
          problems={problems}
          change={(change) => setDraft({ ...draft, ...change })}
        />
      )}
    </FormDialog>
  );
}

interface ChangeProps {
  readonly read: ReadWebhook;
  readonly onClose: () => void;
}

/** Changes a webhook; a change by another person meanwhile is shown, and not lost. */
export function ChangeWebhookDialog({ read, onClose }: ChangeProps) {
  const { call } = useAppServices();
  const done = useDone(WEBHOOKS);
  // The values at the start of the dialog: the page behind is refetched meanwhile.
  const [base] = useState(read);
  const [now, setNow] = useState(read);
  const [draft, setDraft] = useState(() => draftOf(read.webhook));
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const { id, name, headers } = base.webhook;
  const [began, stands] = [draftOf(base.webhook), draftOf(now.webhook)];
  const found = conflictsOf(began, stands, draft);
  const wanted = merged(began, stands, draft, theirs);
  const save = async (): Promise<void> => {
    const wish = inputOf(wanted, now.webhook.active);
    try {
      await done(() => changeWebhook(call, id, wish, now.etag), text.saved(wish.name));
    } catch (error) {
      if (isProblem(error, 412)) setNow(await readWebhook(call, id));
      throw error;
    }
  };
  return (
    <FormDialog
      opened
      title={text.edit(name)}
      action={text.save}
      size="lg"
      isReady={draft.events.length > 0}
      changes={changesOf(stands, wanted)}
      onClose={onClose}
      send={save}
    >
      {(problems) => (
        <>
          <WebhookFields
            draft={draft}
            headers={Object.keys(headers)}
            hasSecret={base.webhook.has_reply_secret}
            problems={problems}
            change={(change) => setDraft({ ...draft, ...change })}
          />
          {found.length === 0 ? null : <Conflicts found={found} theirs={theirs} onTheirs={setTheirs} />}
        </>
      )}
    </FormDialog>
  );
}
