import { Button } from '@mantine/core';
import { count } from '#console/words/counts.ts';
import classes from './events.module.css';

interface Props {
  readonly selected: number;
  readonly total: number;
  /** Everything that the filters find is meant, whether it is loaded or not. */
  readonly isAll: boolean;
  readonly selectAll: () => void;
  readonly selectNone: () => void;
  readonly acknowledge: () => void;
  readonly resolve: () => void;
  readonly suppress: () => void;
}

/** What can be done with the events that are selected. */
export function SelectionBar({ selected, total, isAll, selectAll, selectNone, acknowledge, resolve, suppress }: Props) {
  return (
    <div className={classes.selectionBar}>
      {isAll ? `All ${count(total, 'event')} that match` : `${count(selected, 'event')} selected`}
      {isAll || total <= selected ? null : (
        <Button variant="subtle" onClick={selectAll}>
          Select all {count(total, 'event')} that match
        </Button>
      )}
      <Button variant="default" onClick={acknowledge}>
        Acknowledge
      </Button>
      <Button variant="default" onClick={resolve}>
        Resolve
      </Button>
      <Button variant="default" onClick={suppress}>
        Suppress
      </Button>
      <Button variant="subtle" onClick={selectNone}>
        Select nothing
      </Button>
    </div>
  );
}
