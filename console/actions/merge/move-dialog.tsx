import { useState } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import forms from '#console/forms/forms.module.css';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import { GroupSearch } from './group-search.tsx';
import * as texts from './texts.ts';
import { type Moved, useMoveEvents } from './use-move-events.ts';

interface Props {
  /** `3 events`; null: closed. */
  readonly what: string | null;
  readonly events: readonly Moved[];
  readonly onClose: () => void;
  /** They are in their new group. */
  readonly onMoved?: () => void;
}

/** Events of one fault go to the group of that fault. */
export function MoveDialog({ what, events, onClose, onMoved }: Props) {
  const [chosen, setChosen] = useState<GroupRow | null>(null);
  const move = useMoveEvents();
  const groups = new Set(events.map(({ correlationId }) => correlationId));
  const close = (): void => {
    setChosen(null);
    onClose();
  };
  return (
    <ReasonDialog
      opened={what !== null}
      onClose={close}
      title={texts.move(what ?? '')}
      action={texts.moveAction}
      isReady={chosen !== null}
      act={async (reason) => {
        if (chosen !== null) await move(events, chosen, reason);
        onMoved?.();
      }}
    >
      <p className={forms.text}>{texts.movedEventsStay}</p>
      <GroupSearch
        label={texts.moveTo}
        except={
          new Set(
            [...events.map(({ eventId }) => eventId), ...(groups.size === 1 ? groups : [])].flatMap((id) => id ?? []),
          )
        }
        chosen={chosen}
        onChoose={setChosen}
      />
    </ReasonDialog>
  );
}
