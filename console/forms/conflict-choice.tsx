import { Button, Stack } from '@mantine/core';
import classes from './forms.module.css';

/** A value that two people have changed. */
interface Clash {
  readonly id: string;
  readonly words: string;
  readonly mine: string;
  readonly theirs: string;
}

interface Props {
  readonly clashes: readonly Clash[];
  readonly keep: (id: string, isMine: boolean) => void;
}

/** Somebody was quicker: both versions, to choose from one by one. */
export function ConflictChoice({ clashes, keep }: Props) {
  return (
    <Stack gap="sm" role="alert">
      <p className={classes.caution}>Somebody else has changed the same meanwhile. Choose for each which one counts.</p>
      {clashes.map(({ id, words, mine, theirs }) => (
        <div key={id} className={classes.clash}>
          <span>{words}</span>
          <Button variant="default" onClick={() => keep(id, true)}>
            Yours: {mine}
          </Button>
          <Button variant="default" onClick={() => keep(id, false)}>
            Theirs: {theirs}
          </Button>
        </div>
      ))}
    </Stack>
  );
}
