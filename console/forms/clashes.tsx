import { Radio, Stack } from '@mantine/core';
import type { Clash } from './clash.ts';
import classes from './forms.module.css';

interface Props {
  readonly found: readonly Clash[];
  /** The fields in which theirs was chosen. */
  readonly theirs: ReadonlySet<string>;
  readonly onTheirs: (fields: ReadonlySet<string>) => void;
}

const said = (text: string): string => text || 'nothing';

/** Both versions of what two people have changed at once, to choose field by field. */
export function Clashes({ found, theirs, onTheirs }: Props) {
  const choose = (field: string, value: string): void =>
    onTheirs(value === 'theirs' ? new Set([...theirs, field]) : new Set([...theirs].filter((one) => one !== field)));
  return (
    <Stack gap="md" role="alert">
      <p className={classes.note}>
        Somebody else changed it while you wrote. Their changes stay, unless you choose yours.
      </p>
      {found.map(({ field, words, theirs: their, mine }) =>
        mine === null ? (
          <p key={field} className={classes.note}>
            {words}: now {said(their)}
          </p>
        ) : (
          <Radio.Group
            key={field}
            label={words}
            value={theirs.has(field) ? 'theirs' : 'mine'}
            onChange={(value) => choose(field, value)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="mine" label={`Yours: ${said(mine)}`} size="xs" />
              <Radio value="theirs" label={`Theirs: ${said(their)}`} size="xs" />
            </Stack>
          </Radio.Group>
        ),
      )}
    </Stack>
  );
}
