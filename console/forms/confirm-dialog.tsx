import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import classes from './forms.module.css';
import * as texts from './texts.ts';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  /** Text to be typed before an irreversible action. */
  readonly typed?: string;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
  /** The consequence. */
  readonly children: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({ opened, title, action, typed, onClose, act, children }: Props) {
  const [text, setText] = useState('');
  const close = (): void => {
    setText('');
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      title={title}
      action={action}
      isDanger
      isReady={typed === undefined || text === typed}
      onClose={close}
      send={act}
    >
      {() => (
        <>
          <div className={classes.text}>{children}</div>
          {typed === undefined ? null : (
            <TextInput
              label={texts.typeToConfirm(typed)}
              value={text}
              autoComplete="off"
              data-autofocus
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
