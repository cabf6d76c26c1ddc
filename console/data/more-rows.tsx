import { Button } from '@mantine/core';
import classes from './more-rows.module.css';
import * as text from './texts.ts';

interface Props {
  readonly list: {
    readonly rows: readonly unknown[];
    /** Total as counted by the server. */
    readonly total: number;
    readonly found: {
      readonly hasNextPage: boolean;
      readonly isFetchingNextPage: boolean;
      readonly fetchNextPage: () => unknown;
    };
  };
}

/** Shows the number of loaded rows, and a link to the rest. */
export function MoreRows({ list: { found, rows, total } }: Props) {
  if (!found.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <span>{text.showing(rows.length, total)}</span>
      <Button variant="default" loading={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
        {text.loadMore}
      </Button>
    </div>
  );
}
