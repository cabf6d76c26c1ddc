import { Button } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { isProblem } from '#console/api/link/problem.ts';
import { PERMISSIONS } from '#domain/access/permissions.ts';
import { Countdown } from './countdown.tsx';
import { MissingPermission } from './missing-permission.tsx';
import { NotReady } from './not-ready.tsx';
import { Notice } from './notice.tsx';
import { RequestId } from './request-id.tsx';
import * as text from './texts.ts';

interface Props {
  readonly error: unknown;
  /** A noun without article, as in "Couldn't load groups". */
  readonly what: string;
  readonly retry: () => unknown;
}

/** The list that would contain it has the name of the page. */
function Gone({ message }: { readonly message: string }) {
  const list = useRouterState({ select: ({ location }) => /^\/(?:admin\/)?[^/]+(?=\/)/.exec(location.pathname)?.[0] });
  return (
    <Notice title={text.notFound} ways={list === undefined ? undefined : <Link to={list}>{text.backToList}</Link>}>
      {message}
    </Notice>
  );
}

const Retry = ({ retry }: Pick<Props, 'retry'>) => (
  <Button variant="default" onClick={() => retry()}>
    {text.retry}
  </Button>
);

/** Explains why a region is empty, and offers actions. */
export function Failure({ error, what, retry }: Props) {
  if (isProblem(error, 403)) {
    const needs = PERMISSIONS.find((permission) => error.message.includes(permission));
    return <MissingPermission what={text.thisPage} needs={needs} />;
  }
  if (isProblem(error, 404)) return <Gone message={error.message} />;
  if (isProblem(error, 503) || (isProblem(error, 429) && error.retryAfterMs !== null))
    return (
      <Notice
        title={error.status === 429 ? text.tooManyRequests : text.serverNotReady(what)}
        kind="caution"
        ways={error.retryAfterMs === null ? <Retry retry={retry} /> : undefined}
      >
        {error.message}. {error.retryAfterMs === null ? null : <Countdown ms={error.retryAfterMs} then={retry} />}
        {error.status === 503 ? <NotReady /> : null}
      </Notice>
    );
  return (
    <Notice kind="bad" title={text.notLoaded(what)} ways={<Retry retry={retry} />}>
      {isProblem(error) ? error.message : text.consoleError}
      <div>
        <RequestId error={error} />
      </div>
    </Notice>
  );
}
