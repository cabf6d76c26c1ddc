import { Switch, TextInput } from '@mantine/core';
import type { View } from '#console/api/views.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { useMay } from '#console/hooks/use-me.ts';

interface Props {
  /** `new`: what the list shows becomes a view. Null: closed. */
  readonly view: View | 'new' | null;
  readonly onClose: () => void;
  readonly keep: (view: View | 'new', name: string, shared: boolean) => Promise<unknown>;
}

const MOST_NAME = 80;

/** Names a view and says who sees it. */
export function ViewDialog({ view, onClose, keep }: Props) {
  const mayShare = useMay('events.write');
  const known = view === null || view === 'new' ? null : view;
  return (
    <FormDialog
      opened={view !== null}
      title={known === null ? 'Save as a view' : `The view “${known.name}”`}
      action="Save"
      onClose={onClose}
      send={(form) => keep(view ?? 'new', String(form.get('name') ?? '').trim(), form.get('shared') !== null)}
    >
      {(problems) => (
        <>
          <TextInput
            name="name"
            label="Name"
            required
            maxLength={MOST_NAME}
            defaultValue={known?.name ?? ''}
            error={problems.name}
            data-autofocus
          />
          {mayShare ? (
            <Switch
              name="shared"
              label="Shared"
              description="Everybody of the tenant sees it; you and administrators can change it."
              defaultChecked={known?.shared ?? false}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
