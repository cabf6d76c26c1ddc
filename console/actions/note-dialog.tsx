import { Textarea } from '@mantine/core';
import { FormDialog } from '#console/forms/form-dialog.tsx';

const MOST_LETTERS = 4_096;

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
      title={`Note on ${what ?? ''}`}
      action="Add the note"
      onClose={onClose}
      send={(form) => note(String(form.get('text') ?? '').trim())}
    >
      {(problems) => (
        <Textarea
          name="text"
          label="What others should know"
          required
          autosize
          minRows={3}
          maxLength={MOST_LETTERS}
          error={problems.text}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
