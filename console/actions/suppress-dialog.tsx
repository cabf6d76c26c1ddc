import { useState } from 'react';
import { type ChosenEnd, endOf } from '#console/forms/chosen-end.ts';
import { EndFields } from '#console/forms/end-fields.tsx';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLocal } from '#console/hooks/use-local.ts';
import * as text from './texts.ts';

interface Props {
  /** The target, as in "Suppress 3 events". Null: the dialog is closed. */
  readonly what: string | null;
  readonly onClose: () => void;
  /** Rejects when the server has not done it: the dialog stays. */
  readonly suppress: (wish: { readonly notes: string; readonly until?: string }) => Promise<unknown>;
}

/** Asks for the reason of a suppression, and for its end. */
export function SuppressDialog({ what, onClose, suppress }: Props) {
  const { clock } = useAppServices();
  const local = useLocal();
  const [chosen, setChosen] = useState<ChosenEnd | null>(null);
  const close = (): void => {
    setChosen(null);
    onClose();
  };
  const act = (notes: string): Promise<unknown> => {
    const end = chosen && endOf(chosen, clock.now(), local);
    return suppress({ notes, ...(end !== null && { until: new Date(end).toISOString() }) });
  };
  return (
    <ReasonDialog
      opened={what !== null}
      title={text.suppress(what ?? '')}
      action={text.suppressAction}
      needsReason
      onClose={close}
      act={act}
    >
      <EndFields end={chosen} onChange={setChosen} endless={text.untilRecovery} />
    </ReasonDialog>
  );
}
