import { useState } from 'react';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { NoteField } from '#console/forms/note-field.tsx';
import * as texts from './texts.ts';

interface Props {
  /** The subject of the note. Null: closed. */
  readonly what: string | null;
  readonly onClose: () => void;
  readonly note: (text: string) => Promise<unknown>;
}

/** Writes something down that others should know. */
export function NoteDialog({ what, onClose, note }: Props) {
  const [text, setText] = useState('');
  const [known, setKnown] = useState(what);
  // Another note begins empty.
  if (known !== what) {
    setKnown(what);
    setText('');
  }
  return (
    <FormDialog
      opened={what !== null}
      title={texts.addNoteTo(what ?? '')}
      action={texts.addNote}
      onClose={onClose}
      send={() => note(text.trim())}
    >
      {(problems) => (
        <NoteField
          name="text"
          label={texts.note}
          required
          minRows={3}
          error={problems.text}
          value={text}
          onText={setText}
        />
      )}
    </FormDialog>
  );
}
