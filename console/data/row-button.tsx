import { Button } from '@mantine/core';

interface Props {
  readonly words: string;
  /** Name of the row, for screen readers. */
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
