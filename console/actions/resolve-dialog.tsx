import { Select, Textarea } from '@mantine/core';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { RESOLUTION_CATEGORIES, type ResolutionCategory } from '#domain/event/event.ts';
import { CATEGORY_WORDS } from './status-words.ts';
import * as text from './texts.ts';

/** Resolution entered in the dialog. */
interface ResolutionInput {
  readonly notes?: string;
  readonly resolutionCategory?: ResolutionCategory;
}

interface Props {
  /** The target, as in "Resolve 62 events of this group". Null: the dialog is closed. */
  readonly what: string | null;
  readonly onClose: () => void;
  /** Rejects when the server has not done it: the dialog stays, with all that was typed. */
  readonly resolve: (resolution: ResolutionInput) => Promise<unknown>;
}

const MAX_NOTES = 4_096;

/** Asks for the reason of a resolution. */
export function ResolveDialog({ what, onClose, resolve }: Props) {
  const send = (form: FormData): Promise<unknown> => {
    const notes = String(form.get('notes') ?? '').trim();
    const category = String(form.get('category') ?? '') as ResolutionCategory | '';
    return resolve({ ...(notes !== '' && { notes }), ...(category !== '' && { resolutionCategory: category }) });
  };
  return (
    <FormDialog
      opened={what !== null}
      title={text.resolve(what ?? '')}
      action={text.resolveAction}
      onClose={onClose}
      send={send}
    >
      {(problems) => (
        <>
          <Select
            name="category"
            label={text.resolutionCategory}
            defaultValue="manual-fix"
            allowDeselect={false}
            data={RESOLUTION_CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] }))}
          />
          <Textarea
            name="notes"
            label={text.resolutionNotes}
            autosize
            minRows={3}
            maxLength={MAX_NOTES}
            error={problems.notes}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  );
}
