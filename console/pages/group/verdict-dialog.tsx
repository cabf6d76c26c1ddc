import { Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import type { CauseChoice } from './cause-choices.ts';
import classes from './group.module.css';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly choices: (search: string) => readonly CauseChoice[];
  /** Undefined: none of the members. */
  readonly judge: (rootEventId: string | undefined) => Promise<unknown>;
}

/** As many are seen at once. */
const FEW = 8;
const NONE = '';

/** Asks what the cause was, of a group whose cause was wrong. */
export function VerdictDialog({ opened, onClose, choices, judge }: Props) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(NONE);
  const close = (): void => {
    setTyped('');
    setChosen(NONE);
    onClose();
  };
  const found = choices(typed);
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title="What was the root cause?"
      action="Save"
      send={() => judge(chosen === NONE ? undefined : chosen)}
    >
      {() => (
        <>
          {choices('').length <= FEW ? null : (
            <TextInput
              label="Search the members"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          <Radio.Group label="Root cause" value={chosen} onChange={setChosen}>
            <div className={classes.causes}>
              <Radio value={NONE} label="Not in this group, or unknown" />
              {found.map(({ eventId, words }) => (
                <Radio key={eventId} value={eventId} label={words} />
              ))}
            </div>
          </Radio.Group>
          {found.length === 0 ? <p className={classes.dim}>No member has these words.</p> : null}
        </>
      )}
    </FormDialog>
  );
}
