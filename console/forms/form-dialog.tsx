import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { refusalWords } from '#console/words/refusal-words.ts';
import { ChangesList } from './changes-list.tsx';
import type { FormChange } from './form-change.ts';
import classes from './forms.module.css';
import { labelsIn } from './labels.ts';
import { TypedModal } from './typed-modal.tsx';

type Fields = Readonly<Record<string, string>>;

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly size?: 'md' | 'lg' | 'xl';
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  /** Changes by saving, shown below the fields; empty: none, and it cannot be saved. */
  readonly changes?: readonly FormChange[];
  readonly onClose: () => void;
  /** Throws what the server says; the dialog stays open then, with all that was typed. */
  readonly send: (form: FormData) => Promise<unknown>;
  /** `problems`: what the server says of each field. */
  readonly children: (problems: Fields) => ReactNode;
}

/** A form over the page. */
export function FormDialog(props: Props) {
  return (
    <TypedModal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size ?? 'md'}>
      <Inner {...props} />
    </TypedModal>
  );
}

function Inner({ action, isDanger = false, isReady = true, changes, onClose, send, children }: Props) {
  const [error, setError] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await send(new FormData(event.currentTarget));
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  const problems: Fields = isProblem(error) ? error.fields : {};
  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {children(problems)}
        {changes === undefined || changes.length === 0 ? null : <ChangesList changes={changes} />}
        {error === null || form.current === null ? null : (
          <Refusal error={error} words={refusalWords(error, labelsIn(form.current))} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={!isReady || changes?.length === 0}
            data-danger={isDanger || undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Why the server did not do it. */
function Refusal({ error, words }: { readonly error: unknown; readonly words: string }) {
  const known = isProblem(error);
  return (
    <p role="alert" className={classes.refusal}>
      {words}
      {known && error.requestId !== null ? <span className={classes.request}> Request {error.requestId}</span> : null}
    </p>
  );
}
