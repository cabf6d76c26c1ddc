import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import type { Wish } from '#console/api/status.ts';
import { TypedModal } from '#console/forms/typed-modal.tsx';
import { RESOLUTION_CATEGORIES, type ResolutionCategory } from '#domain/event/event.ts';
import { CATEGORY_WORDS } from './status-words.ts';

interface Props {
  /** The target, as in "Resolve 62 events of this group". */
  readonly what: string | null;
  readonly onClose: () => void;
  readonly resolve: (wish: Wish) => unknown;
}

const MOST_NOTES = 4_096;

/** Why something is over. `what` null: the dialog is closed. */
export function ResolveDialog({ what, onClose, resolve }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const notes = String(form.get('notes') ?? '').trim();
    const category = String(form.get('category') ?? '') as ResolutionCategory | '';
    onClose();
    resolve({
      status: 'resolved',
      ...(notes !== '' && { notes }),
      ...(category !== '' && { resolutionCategory: category }),
    });
  };
  return (
    <TypedModal opened={what !== null} onClose={onClose} title={`Resolve ${what ?? ''}`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            name="category"
            label="How it ended"
            defaultValue="manual-fix"
            allowDeselect={false}
            data={RESOLUTION_CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] }))}
          />
          <Textarea name="notes" label="Notes" autosize minRows={3} maxLength={MOST_NOTES} data-autofocus />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Resolve</Button>
          </Group>
        </Stack>
      </form>
    </TypedModal>
  );
}
