import { Button } from '@mantine/core';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import { count } from '#console/words/counts.ts';

interface Props {
  readonly size: number;
  readonly selectNone: () => void;
  readonly actions: GroupActions;
}

/** Actions on the selected groups. */
export function ChosenGroups({ size, selectNone, actions }: Props) {
  if (size === 0) return null;
  return (
    <SelectionBar said={`${count(size, 'group')} selected`} selectNone={selectNone}>
      {actions.mayWrite ? (
        <>
          <Button variant="default" onClick={() => actions.acknowledge()}>
            Acknowledge
          </Button>
          <Button variant="default" onClick={() => actions.ask('resolve')}>
            Resolve
          </Button>
          <Button variant="default" onClick={() => actions.reopen()}>
            Reopen
          </Button>
          {size === 1
            ? actions.more.map((action) => (
                <Button key={action.id} variant="default" onClick={() => actions.ask(action)}>
                  {action.words}…
                </Button>
              ))
            : null}
          <Button variant="default" onClick={() => actions.ask('assign')}>
            Assign…
          </Button>
        </>
      ) : null}
      {actions.mayCorrelate && size > 1 ? (
        <Button variant="default" onClick={() => actions.ask('merge')}>
          Merge
        </Button>
      ) : null}
    </SelectionBar>
  );
}
