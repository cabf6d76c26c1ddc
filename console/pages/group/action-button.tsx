import { Button } from '@mantine/core';
import classes from './group.module.css';

interface Props {
  readonly words: string;
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly isMain?: boolean;
  readonly isOff?: boolean;
}

/** An action with its key. */
export function ActionButton({ words, shortcut, onClick, isMain = false, isOff = false }: Props) {
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      disabled={isOff}
      onClick={onClick}
      rightSection={
        <span className={classes.key} aria-hidden>
          {shortcut}
        </span>
      }
    >
      {words}
    </Button>
  );
}
