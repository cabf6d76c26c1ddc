import { Textarea, type TextareaProps } from '@mantine/core';
import { useDebouncedValue, useMergedRef } from '@mantine/hooks';
import { type Ref, useRef, useState } from 'react';
import { findAssignees } from '#console/api/assignees.ts';
import choice from '#console/data/choice.module.css';
import { useRead } from '#console/hooks/use-read.ts';
import { mentionAt, type TypedMention, withMention } from './mention.ts';
import * as text from './texts.ts';

const MAX_LETTERS = 4_096;
const MOST = 6;
const TYPING_MS = 200;

interface Props extends Pick<TextareaProps, 'label' | 'name' | 'error' | 'minRows' | 'required' | 'onKeyDown'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly field?: Ref<HTMLTextAreaElement>;
}

/** A note; a name behind `@` is completed from the users of the tenant. */
export function NoteField({ value, onText, field, ...rest }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const ref = useMergedRef(own, field);
  const [mention, setMention] = useState<TypedMention | null>(null);
  const [search] = useDebouncedValue(mention?.name ?? '', TYPING_MS);
  const found = useRead(['assignees', search], (call, signal) => findAssignees(call, search, signal), {
    enabled: mention !== null,
  });
  const users = mention === null ? [] : (found.data?.users ?? []).slice(0, MOST);
  const choose = (username: string): void => {
    if (mention !== null) onText(withMention(value, mention, username));
    setMention(null);
    own.current?.focus();
  };
  return (
    <div>
      <Textarea
        {...rest}
        ref={ref}
        autosize
        maxLength={MAX_LETTERS}
        placeholder={text.mentionHint}
        value={value}
        onChange={({ currentTarget }) => {
          onText(currentTarget.value);
          setMention(mentionAt(currentTarget.value, currentTarget.selectionStart));
        }}
        data-autofocus
      />
      {users.length === 0 ? null : (
        <ul aria-label={text.usersToMention} className={choice.list}>
          {users.map(({ _id, name, username }) => (
            <li key={_id}>
              <button type="button" className={choice.choice} onClick={() => choose(username)}>
                {text.userToMention(name, username)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
