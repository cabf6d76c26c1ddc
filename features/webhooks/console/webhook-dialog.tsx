import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { Clashes } from '#console/forms/clashes.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { changeWebhook, makeWebhook, type ReadWebhook, readWebhook, type WebhookSecret } from './api.ts';
import { changesOf, clashesOf, draftOf, merged, NEW_WEBHOOK, wishOf } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

export const WEBHOOKS = ['webhooks'] as const;

interface NewProps {
  readonly onClose: () => void;
  readonly onMade: (made: WebhookSecret) => void;
}

export function NewWebhookDialog({ onClose, onMade }: NewProps) {
  const { call } = useParts();
  const done = useDone(WEBHOOKS);
  const [draft, setDraft] = useState(NEW_WEBHOOK);
  return (
    <FormDialog
      opened
      title="Make a webhook"
      action="Make it"
      size="lg"
      isReady={draft.events.length > 0}
      onClose={onClose}
      send={() => done(async () => onMade(await makeWebhook(call, wishOf(draft, true))), null)}
    >
      {(problems) => (
        <WebhookFields
          draft={draft}
          headers={[]}
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
  const { call } = useParts();
  const done = useDone(WEBHOOKS);
  // The values at the start of the dialog: the page behind is read anew meanwhile.
  const [base] = useState(read);
  const [now, setNow] = useState(read);
  const [draft, setDraft] = useState(() => draftOf(read.webhook));
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const { id, name, headers } = base.webhook;
  const [began, stands] = [draftOf(base.webhook), draftOf(now.webhook)];
  const found = clashesOf(began, stands, draft);
  const wanted = merged(began, stands, draft, theirs);
  const save = async (): Promise<void> => {
    const wish = wishOf(wanted, now.webhook.active);
    try {
      await done(() => changeWebhook(call, id, wish, now.etag), `${wish.name} is changed`);
    } catch (error) {
      if (isProblem(error, 412)) setNow(await readWebhook(call, id));
      throw error;
    }
  };
  return (
    <FormDialog
      opened
      title={`Change ${name}`}
      action="Save"
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
            problems={problems}
            change={(change) => setDraft({ ...draft, ...change })}
          />
          {found.length === 0 ? null : <Clashes found={found} theirs={theirs} onTheirs={setTheirs} />}
        </>
      )}
    </FormDialog>
  );
}
