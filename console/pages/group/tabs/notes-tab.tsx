import { Button, Textarea } from '@mantine/core';
import type { FormEvent, Ref } from 'react';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { When } from '#console/facts/when.tsx';
import classes from '../group.module.css';

const MOST_LETTERS = 4_096;

interface Props {
  readonly group: GroupDetailShown;
  readonly mayWrite: boolean;
  readonly note: (text: string) => unknown;
  /** Half-written, it stays while other parts are looked at. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly field: Ref<HTMLTextAreaElement>;
}

/** Notes of people to each other. */
export function NotesTab({ group, mayWrite, note, text, onText, field }: Props) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    void note(text.trim());
    onText('');
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
        <form onSubmit={submit} className={classes.noteForm}>
          <Textarea
            ref={field}
            label="New note"
            autosize
            minRows={2}
            maxLength={MOST_LETTERS}
            value={text}
            onChange={({ currentTarget }) => onText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            Add the note
          </Button>
        </form>
      ) : null}
    </div>
  );
}
