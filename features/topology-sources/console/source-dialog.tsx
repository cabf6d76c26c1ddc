import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { useOnce } from '#console/actions/use-once.ts';
import { isProblem } from '#console/api/link/problem.ts';
import type { Versioned } from '#console/api/link/versioned.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import { NEW_SOURCE, putSource, SOURCES, type SourceRunData, type TopologySourceData } from './api.ts';
import { Difference } from './difference.tsx';
import { draftOf, inputOf, NEW_DRAFT, type SourceDraft } from './source-draft.ts';
import { SourceFields } from './source-fields.tsx';
import { foundWords, nextStep } from './source-text.ts';
import * as text from './texts.ts';
import classes from './topology-sources.module.css';

interface Tried {
  readonly run?: SourceRunData;
  readonly error?: string;
  readonly code?: string | null;
}

function Result({ run: found, error, code = null }: Tried): ReactNode {
  if (error !== undefined)
    return (
      <p role="alert" className={classes.note}>
        {error}. {nextStep(code)}
      </p>
    );
  if (!found?.run || !found.changes) return null;
  return (
    <div role="status">
      <p className={classes.note}>{text.previewed(foundWords(found.run))}</p>
      <Difference counts={found.run} changes={found.changes} />
    </div>
  );
}

/** Reads the source as it is entered, and stores nothing. */
function Preview({ draft, etag }: { readonly draft: SourceDraft; readonly etag: string | null }) {
  const { call } = useAppServices();
  const [tried, setTried] = useState<Tried>({});
  const [preview, isBusy] = useOnce(async () => {
    try {
      setTried({ run: await putSource(call, draft.name || 'new', inputOf(draft), { etag, isDryRun: true }) });
    } catch (error) {
      setTried({ error: refusalWords(error), code: isProblem(error) ? error.code : null });
    }
  });
  return (
    <>
      <div>
        <Button type="button" variant="default" loading={isBusy} onClick={() => void preview()}>
          {text.preview}
        </Button>
      </div>
      <Result {...tried} />
    </>
  );
}

export function NewSourceDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useAppServices();
  const done = useDone(SOURCES);
  const [draft, setDraft] = useState(NEW_DRAFT);
  const save = async (): Promise<void> => {
    try {
      await done(() => putSource(call, draft.name, inputOf(draft), { etag: NEW_SOURCE }), text.added(draft.name));
    } catch (error) {
      throw isProblem(error, 412) ? new Error(text.nameTaken(draft.name)) : error;
    }
  };
  return (
    <FormDialog opened title={text.addSource} action={text.addSource} size="lg" onClose={onClose} send={save}>
      {(problems) => (
        <>
          <SourceFields
            draft={draft}
            isStored={false}
            hasSignIn={false}
            problems={problems}
            change={(change) => setDraft({ ...draft, ...change })}
          />
          <Preview draft={draft} etag={null} />
        </>
      )}
    </FormDialog>
  );
}

interface EditProps {
  readonly source: TopologySourceData & Versioned;
  readonly onClose: () => void;
}

export function EditSourceDialog({ source, onClose }: EditProps) {
  const { call } = useAppServices();
  const done = useDone(SOURCES);
  // The values at the start of the dialog: the page behind is refetched meanwhile.
  const [{ name, auth, etag }] = useState(source);
  const [draft, setDraft] = useState(() => draftOf(source));
  return (
    <FormDialog
      opened
      title={text.editOf(name)}
      action={text.save}
      size="lg"
      onClose={onClose}
      send={() => done(() => putSource(call, name, inputOf(draft), { etag }), text.saved(name))}
    >
      {(problems) => (
        <>
          <SourceFields
            draft={draft}
            isStored
            hasSignIn={auth !== null}
            problems={problems}
            change={(change) => setDraft({ ...draft, ...change })}
          />
          <Preview draft={draft} etag={etag} />
        </>
      )}
    </FormDialog>
  );
}
