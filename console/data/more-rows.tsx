import { Button } from '@mantine/core';
import { number } from '#console/words/counts.ts';
import classes from './more-rows.module.css';

interface Props {
  readonly list: {
    readonly rows: readonly unknown[];
    /** As far as the server has counted. */
    readonly total: number;
    readonly found: {
      readonly hasNextPage: boolean;
      readonly isFetchingNextPage: boolean;
      readonly fetchNextPage: () => unknown;
    };
  };
}

/** How much of a list is shown, and the way to the rest. */
export function MoreRows({ list: { found, rows, total } }: Props) {
  if (!found.hasNextPage) return null;
  const shown = rows.length;
  return (
    <div className={classes.more}>
      <span>
        {number(shown)} of {number(Math.max(total, shown))}
        {total <= shown ? ' or more' : ''} shown
      </span>
      <Button variant="default" loading={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
        Show older ones
      </Button>
    </div>
  );
}
