import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '#console/forms/copy-button.tsx';
import classes from './forms.module.css';
import * as text from './texts.ts';

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
        <p className={classes.note}>{text.copyNowWontBe}</p>
        <Group justify="flex-end" gap="sm">
          <CopyButton text={secret ?? ''} />
          <Button onClick={onClose}>{text.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
