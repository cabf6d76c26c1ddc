import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { TypedModal } from './typed-modal.tsx';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly isReady?: boolean;
  /** The server takes no empty reason. */
  readonly needsReason?: boolean;
  readonly onClose: () => void;
  readonly act: (reason: string) => unknown;
}

/** Asks once more, and why, before something that others will see. */
export function ReasonDialog({ opened, title, onClose, ...inner }: Props) {
  return (
    <TypedModal opened={opened} onClose={onClose} title={title} size="lg">
      <Inner onClose={onClose} {...inner} />
    </TypedModal>
  );
}

type InnerProps = Omit<Props, 'opened' | 'title'>;
function Inner({ action, children, isReady = true, needsReason = false, onClose, act }: InnerProps) {
  const [isMissed, setMissed] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    // The browser takes blanks for a reason.
    if (needsReason && reason === '') {
      setMissed(true);
      return;
    }
    onClose();
    act(reason);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        <Textarea
          name="reason"
          label="Why"
          required={needsReason}
          error={isMissed ? 'Say why' : null}
          autosize
          minRows={2}
          maxLength={4_096}
          data-autofocus
        />
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
  );
}
