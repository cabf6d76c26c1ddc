import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '#console/forms/copy-button.tsx';
import classes from './forms.module.css';

interface Props {
  /** Null: closed. */
  readonly secret: string | null;
  readonly title: string;
  readonly onClose: () => void;
  /** Its purpose, and its end. */
  readonly children: ReactNode;
}

/** Shows a secret the only time that it can be seen; a click beside the dialog does not close it. */
export function SecretDialog({ secret, title, onClose, children }: Props) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <div className={classes.text}>{children}</div>
        <code className={classes.secret}>{secret}</code>
        <p className={classes.note}>It is shown this once. Nobody can read it again, but a new one can be made.</p>
        <Group justify="flex-end" gap="sm">
          <CopyButton text={secret ?? ''} />
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
