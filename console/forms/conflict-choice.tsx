import { Button, Stack } from '@mantine/core';
import classes from './forms.module.css';
import * as text from './texts.ts';

/** A value with a concurrent change. */
interface ValueConflict {
  readonly id: string;
  readonly words: string;
  readonly mine: string;
  readonly theirs: string;
}

interface Props {
  readonly clashes: readonly ValueConflict[];
  readonly keep: (id: string, isMine: boolean) => void;
}

/** A concurrent change happened: shows both versions, to choose from one by one. */
export function ConflictChoice({ clashes, keep }: Props) {
  return (
    <Stack gap="sm" role="alert">
      <p className={classes.caution}>{text.someoneElseChangedSame}</p>
      {clashes.map(({ id, words, mine, theirs }) => (
        <div key={id} className={classes.clash}>
          <span>{words}</span>
          <Button variant="default" onClick={() => keep(id, true)}>
            {text.yours(mine)}
          </Button>
          <Button variant="default" onClick={() => keep(id, false)}>
            {text.theirs(theirs)}
          </Button>
        </div>
      ))}
    </Stack>
  );
}
