import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { useAge } from '#console/hooks/use-times.ts';
import { Countdown } from './countdown.tsx';
import { Failure } from './failure.tsx';
import { NotReady } from './not-ready.tsx';
import { RequestId } from './request-id.tsx';
import { Skeleton } from './skeleton.tsx';
import classes from './states.module.css';
import * as text from './texts.ts';

type RegionQuery<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'dataUpdatedAt' | 'errorUpdatedAt'>;

interface Props<T> {
  readonly query: RegionQuery<T>;
  /** Noun, as in "Couldn't load groups". */
  readonly what: string;
  readonly skeleton?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

function Outdated({ query, what }: Pick<Props<unknown>, 'query' | 'what'>) {
  const { error, errorUpdatedAt, refetch } = query;
  const age = useAge(query.dataUpdatedAt);
  const reason = isProblem(error) ? error.message : '';
  const wait = isProblem(error, 429, 503) ? error.retryAfterMs : null;
  return (
    <div className={classes.strip} role="status">
      <span>
        {text.notRefreshed(what, reason)} <span aria-hidden>{text.dataAge(age)}</span>
        <RequestId error={error} />
      </span>
      {wait === null ? null : <Countdown key={errorUpdatedAt} ms={wait} then={refetch} />}
      {isProblem(error, 503) ? <NotReady /> : null}
      <Button variant="subtle" size="compact-xs" onClick={() => void refetch()}>
        {text.retry}
      </Button>
    </div>
  );
}

/** A part of the page that shows the data of a query, in any state. */
export function Region<T>({ query, what, skeleton = <Skeleton />, children }: Props<T>) {
  if (query.data === undefined)
    return query.error === null ? skeleton : <Failure error={query.error} what={what} retry={query.refetch} />;
  // Earlier data stays, grayed out, unless it is gone or not allowed any more.
  if (isProblem(query.error, 403, 404)) return <Failure error={query.error} what={what} retry={query.refetch} />;
  const isOld = query.error !== null;
  return (
    <>
      {isOld ? <Outdated query={query as RegionQuery<unknown>} what={what} /> : null}
      {/* In one place however the reading went: what was typed or opened in it would be gone with another. */}
      <div className={isOld ? classes.old : classes.fresh}>{children(query.data)}</div>
    </>
  );
}
