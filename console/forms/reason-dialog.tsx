import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly isReady?: boolean;
  readonly onClose: () => void;
  readonly act: (reason: string) => unknown;
}

/** Asks once more, and why, before something that others will see. */
export function ReasonDialog({ opened, title, action, children, isReady = true, onClose, act }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    onClose();
    act(reason);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          {children}
          <Textarea name="reason" label="Why" autosize minRows={2} maxLength={4_096} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
