import { Button } from '@mantine/core';
import { number } from '#console/words/counts.ts';
import classes from './more-rows.module.css';

interface Props {
  readonly shown: number;
  /** As far as the server has counted. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly more: () => unknown;
}

/** How much of a list is shown, and the way to the rest. */
export function MoreRows({ shown, total, hasMore, isReading, more }: Props) {
  if (!hasMore) return null;
  return (
    <div className={classes.more}>
      <span>
        {number(shown)} of {number(Math.max(total, shown))}
        {total <= shown ? ' or more' : ''} shown
      </span>
      <Button variant="default" loading={isReading} onClick={() => more()}>
        Show older ones
      </Button>
    </div>
  );
}
