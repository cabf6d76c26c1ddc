import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import { count } from '#console/words/counts.ts';
import classes from './group.module.css';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly eventIds: readonly string[];
  readonly split: (eventIds: readonly string[], reason: string) => Promise<unknown>;
}

export function SplitDialog({ opened, onClose, eventIds, split }: Props) {
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title={`Split ${count(eventIds.length, 'event')} off`}
      action="Split off"
      needsReason
      act={(reason) => split(eventIds, reason)}
    >
      <p className={classes.text}>
        {eventIds.length === 1
          ? 'The event leaves this group and is in none.'
          : 'They leave this group and make one of their own.'}{' '}
        The server remembers it: they are not joined again, unless a person merges them.
      </p>
    </ReasonDialog>
  );
}
