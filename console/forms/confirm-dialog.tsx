import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import classes from './forms.module.css';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  /** To be typed before it can be done, where nothing brings it back. */
  readonly typed?: string;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
  /** The consequence. */
  readonly children: ReactNode;
}

/** Asks once more before something that cannot be taken back. */
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
              label={`Type ${typed} to go on`}
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
