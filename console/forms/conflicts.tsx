import { Radio, Stack } from '@mantine/core';
import type { FieldConflict } from './conflict.ts';
import classes from './forms.module.css';
import * as texts from './texts.ts';

interface Props {
  readonly found: readonly FieldConflict[];
  /** The fields in which theirs was chosen. */
  readonly theirs: ReadonlySet<string>;
  readonly onTheirs: (fields: ReadonlySet<string>) => void;
}

const said = (text: string): string => text || texts.empty;

/** Both versions of a concurrent change, to choose field by field. */
export function Conflicts({ found, theirs, onTheirs }: Props) {
  const choose = (field: string, value: string): void =>
    onTheirs(value === 'theirs' ? new Set([...theirs, field]) : new Set([...theirs].filter((one) => one !== field)));
  return (
    <Stack gap="md" role="alert">
      <p className={classes.note}>{texts.someoneElseEditedWhile}</p>
      {found.map(({ field, words, theirs: their, mine }) =>
        mine === null ? (
          <p key={field} className={classes.note}>
            {texts.currentValue(words, said(their))}
          </p>
        ) : (
          <Radio.Group
            key={field}
            label={words}
            value={theirs.has(field) ? 'theirs' : 'mine'}
            onChange={(value) => choose(field, value)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="mine" label={texts.yours(said(mine))} size="xs" />
              <Radio value="theirs" label={texts.theirs(said(their))} size="xs" />
            </Stack>
          </Radio.Group>
        ),
      )}
    </Stack>
  );
}
