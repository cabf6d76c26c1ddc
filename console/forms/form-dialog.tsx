import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import { ChangesList } from './changes-list.tsx';
import type { FormChange } from './form-change.ts';
import classes from './forms.module.css';
import * as text from './texts.ts';

/** The label of a field of this form; of a part of a field, that of the whole. */
const labelsIn =
  (form: HTMLFormElement) =>
  (field: string): string | undefined => {
    const [whole = field] = field.split(/[.[]/);
    const found = form.elements.namedItem(field) ?? form.elements.namedItem(whole);
    if (!(found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement)) return undefined;
    // A field that must be filled in has a star.
    const words = found.labels?.[0]?.textContent?.trimEnd().replace(/\*$/, '').trim();
    return words === '' ? undefined : words;
  };

/** A dialog in which something is typed: from then on a click beside it, easily made by chance, does not close it. */
function TypedModal(props: ModalProps) {
  const { opened } = props;
  const [isTyped, setTyped] = useState(false);
  if (!opened && isTyped) setTyped(false);
  return <Modal {...props} closeOnClickOutside={!isTyped} onInput={() => setTyped(true)} />;
}

type FieldProblems = Readonly<Record<string, string>>;

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
  /** Throws the server's error; the dialog stays open then, with all input. */
  readonly send: (form: FormData) => Promise<unknown>;
  /** `problems`: the server's message for each field. */
  readonly children: (problems: FieldProblems) => ReactNode;
}

/** A form over the page. */
export function FormDialog(props: Props) {
  return (
    <TypedModal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size ?? 'md'}>
      <Inner {...props} />
    </TypedModal>
  );
}

/** True while each problem is at its field; the first of these fields has the focus. */
const useShownAtFields = (form: RefObject<HTMLFormElement | null>, problems: FieldProblems): boolean => {
  const [isShown, setShown] = useState(false);
  const names = Object.keys(problems).join('\n');
  useLayoutEffect(() => {
    const fields = names.split('\n').map((name) => form.current?.elements.namedItem(name));
    const shown = fields.filter((one) => one instanceof HTMLElement && one.ariaInvalid === 'true');
    setShown(shown.length === fields.length);
    (shown[0] as HTMLElement | undefined)?.focus();
  }, [form, names]);
  return isShown;
};

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
  const problems: FieldProblems = isProblem(error) ? error.fields : {};
  const isShown = useShownAtFields(form, problems);
  const mended = (): void => setError(null);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key that chooses an option clicks it, too.
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      onInput={mended}
      onClick={({ target }) => (target as Element).closest('[role=option]') !== null && mended()}
    >
      <Stack gap="md">
        {children(problems)}
        {changes === undefined || changes.length === 0 ? null : <ChangesList changes={changes} />}
        {error === null || form.current === null || isShown ? null : (
          <Refusal error={error} words={refusalWords(error, labelsIn(form.current))} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
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

/** Shows the reason of the server's refusal. */
function Refusal({ error, words }: { readonly error: unknown; readonly words: string }) {
  const known = isProblem(error);
  return (
    <p role="alert" className={classes.refusal}>
      {words}
      {known && error.requestId !== null ? (
        <span className={classes.request}>
          {' '}
          {text.request} {error.requestId}
        </span>
      ) : null}
    </p>
  );
}
