import { Textarea } from '@mantine/core';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import * as texts from './texts.ts';

const MAX_LETTERS = 4_096;

interface Props {
  /** The subject of the note. Null: closed. */
  readonly what: string | null;
  readonly onClose: () => void;
  readonly note: (text: string) => Promise<unknown>;
}

/** Writes something down that others should know. */
export function NoteDialog({ what, onClose, note }: Props) {
  return (
    <FormDialog
      opened={what !== null}
      title={texts.addNoteTo(what ?? '')}
      action={texts.addNote}
      onClose={onClose}
      send={(form) => note(String(form.get('text') ?? '').trim())}
    >
      {(problems) => (
        <Textarea
          name="text"
          label={texts.note}
          required
          autosize
          minRows={3}
          maxLength={MAX_LETTERS}
          error={problems.text}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
