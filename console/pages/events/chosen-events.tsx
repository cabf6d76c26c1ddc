import { Button } from '@mantine/core';
import type { Which } from '#console/api/status.ts';
import { ChosenBar } from '#console/data/chosen-bar.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import type { EventActions } from './use-event-actions.ts';

interface Props {
  readonly choice: Choice;
  readonly total: number;
  readonly meant: Which | null;
  readonly actions: EventActions;
}

/** Actions on the selected events. */
export function ChosenEvents({ choice, total, meant, actions }: Props) {
  if (!actions.mayWrite) return null;
  return (
    <ChosenBar choice={choice} one="event" total={total}>
      <Button variant="default" onClick={() => actions.move(meant, { status: 'acknowledged' })}>
        Acknowledge
      </Button>
      <Button variant="default" onClick={() => actions.resolve()}>
        Resolve
      </Button>
      <Button variant="default" onClick={() => actions.move(meant, { status: 'open' })}>
        Reopen
      </Button>
      {choice.selection.ids.size === 1
        ? actions.more.map((action) => (
            <Button key={action.id} variant="default" onClick={() => actions.ask(action)}>
              {action.words}…
            </Button>
          ))
        : null}
      {actions.isAssignable ? (
        <Button variant="default" onClick={() => actions.ask('assign')}>
          Assign…
        </Button>
      ) : null}
      {choice.selection.ids.size === 2 ? (
        <Button variant="default" onClick={() => actions.ask('explain')}>
          Explain
        </Button>
      ) : null}
    </ChosenBar>
  );
}
