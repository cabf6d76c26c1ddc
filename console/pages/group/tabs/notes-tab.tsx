import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type Ref, useState } from 'react';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { When } from '#console/facts/when.tsx';
import classes from '../group.module.css';

const MOST_LETTERS = 4_096;

interface Props {
  readonly group: GroupDetailShown;
  readonly mayWrite: boolean;
  readonly note: (text: string) => unknown;
  readonly field: Ref<HTMLTextAreaElement>;
}

/** Notes of people to each other. */
export function NotesTab({ group, mayWrite, note, field }: Props) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    void note(text.trim());
    setText('');
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
            onChange={({ currentTarget }) => setText(currentTarget.value)}
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
