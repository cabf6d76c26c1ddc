import { Button } from '@mantine/core';
import type { Which } from '#console/api/status.ts';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import { count } from '#console/words/counts.ts';
import type { EventActions } from './use-event-actions.ts';

interface Props {
  readonly choice: Choice;
  readonly total: number;
  readonly meant: Which | null;
  readonly actions: EventActions;
}

/** Actions on the selected events. */
export function ChosenEvents({ choice, total, meant, actions }: Props) {
  const { selection, isAll } = choice;
  const { size } = selection.ids;
  if (size === 0 || !actions.mayWrite) return null;
  return (
    <SelectionBar
      said={isAll ? `All ${count(total, 'event')} that match` : `${count(size, 'event')} selected`}
      selectNone={choice.selectNone}
    >
      {isAll || total <= size ? null : (
        <Button variant="subtle" onClick={choice.selectAll}>
          Select all {count(total, 'event')} that match
        </Button>
      )}
      <Button variant="default" onClick={() => actions.move(meant, { status: 'acknowledged' })}>
        Acknowledge
      </Button>
      <Button variant="default" onClick={() => actions.resolve()}>
        Resolve
      </Button>
      <Button variant="default" onClick={() => actions.move(meant, { status: 'suppressed' })}>
        Suppress
      </Button>
      {actions.isAssignable ? (
        <Button variant="default" onClick={() => actions.ask('assign')}>
          Assign…
        </Button>
      ) : null}
      {size === 2 ? (
        <Button variant="default" onClick={() => actions.ask('explain')}>
          Explain
        </Button>
      ) : null}
    </SelectionBar>
  );
}
