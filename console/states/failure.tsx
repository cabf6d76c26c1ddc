import { Button } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { isProblem } from '#console/api/link/problem.ts';
import { PERMISSIONS } from '#domain/access/permissions.ts';
import { Countdown } from './countdown.tsx';
import { MissingPermission } from './missing-permission.tsx';
import { NotReady } from './not-ready.tsx';
import { Notice } from './notice.tsx';
import { RequestId } from './request-id.tsx';

interface Props {
  readonly error: unknown;
  /** The subject of the failure, as in "The groups could not be read". */
  readonly what: string;
  readonly retry: () => unknown;
}

/** The list that it would stand in has the name of the page. */
function Gone({ message }: { readonly message: string }) {
  const list = useRouterState({ select: ({ location }) => /^\/(?:admin\/)?[^/]+(?=\/)/.exec(location.pathname)?.[0] });
  return (
    <Notice
      title="Deleted, or it never existed"
      ways={list === undefined ? undefined : <Link to={list}>Back to the list</Link>}
    >
      {message}
    </Notice>
  );
}

const Retry = ({ retry }: Pick<Props, 'retry'>) => (
  <Button variant="default" onClick={() => retry()}>
    Retry
  </Button>
);

/** Why a region has nothing to show, and what can be done. */
export function Failure({ error, what, retry }: Props) {
  if (isProblem(error, 403)) {
    const needs = PERMISSIONS.find((permission) => error.message.includes(permission));
    return <MissingPermission what="This" needs={needs} />;
  }
  if (isProblem(error, 404)) return <Gone message={error.message} />;
  if (isProblem(error, 503) || (isProblem(error, 429) && error.retryAfterMs !== null))
    return (
      <Notice
        title={error.status === 429 ? 'Too many requests' : `${what} could not be read: the server is not ready`}
        kind="caution"
        ways={error.retryAfterMs === null ? <Retry retry={retry} /> : undefined}
      >
        {error.message}. {error.retryAfterMs === null ? null : <Countdown ms={error.retryAfterMs} then={retry} />}
        {error.status === 503 ? <NotReady /> : null}
      </Notice>
    );
  return (
    <Notice kind="bad" title={`${what} could not be read`} ways={<Retry retry={retry} />}>
      {isProblem(error) ? error.message : 'The page met an error of its own.'}
      <div>
        <RequestId error={error} />
      </div>
    </Notice>
  );
}
