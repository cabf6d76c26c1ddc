import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type Ref, useState } from 'react';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { When } from '#console/facts/when.tsx';
import { refusalWords } from '#console/words/refusal-words.ts';
import classes from '../group.module.css';

const MOST_LETTERS = 4_096;

interface Props {
  readonly group: GroupDetailShown;
  readonly mayWrite: boolean;
  /** Rejects when the server does not have it: the text stays in the field. */
  readonly note: (text: string) => Promise<unknown>;
  /** Half-written, it stays while other parts are looked at. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly field: Ref<HTMLTextAreaElement>;
}

/** Notes of people to each other. */
export function NotesTab({ group, mayWrite, note, text, onText, field }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await note(text.trim());
      onText('');
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return (
    <div className={classes.tab}>
      {group.notes.length === 0 ? <p className={classes.dim}>Nobody has written anything yet.</p> : null}
      <ol className={classes.notes}>
        {group.notes.map(({ at, by, text: said }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added.
          <li key={`${at} ${place}`}>
            <span className={classes.dim}>
              {by.name}, <When at={at} />
            </span>
            <p className={classes.noteText}>{said}</p>
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <form onSubmit={(event) => void submit(event)} className={classes.noteForm}>
          <Textarea
            ref={field}
            label="New note"
            autosize
            minRows={2}
            maxLength={MOST_LETTERS}
            value={text}
            error={error === null ? null : `Couldn't add the note. ${refusalWords(error)}`}
            onChange={({ currentTarget }) => onText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
            }}
          />
          <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
            Add the note
          </Button>
        </form>
      ) : null}
    </div>
  );
}
