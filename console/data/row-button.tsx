import { Button } from '@mantine/core';

interface Props {
  readonly words: string;
  /** Of which row, for those who hear the button without its row. */
  readonly of: string;
  readonly isMain?: boolean;
  readonly onClick: () => unknown;
}

/** A button at the end of a row. */
export function RowButton({ words, of, isMain = false, onClick }: Props) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`${words} ${of}`}
      {...(!isMain && { color: 'gray' })}
      onClick={() => void onClick()}
    >
      {words}
    </Button>
  );
}
