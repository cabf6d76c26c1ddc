import { Button } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { isProblem } from '#console/api/link/problem.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { PERMISSIONS } from '#domain/access/permissions.ts';
import { Countdown } from './countdown.tsx';
import { NotReady } from './not-ready.tsx';
import { Notice } from './notice.tsx';
import classes from './states.module.css';

interface Props {
  readonly error: unknown;
  /** The subject of the failure, as in "The groups could not be read". */
  readonly what: string;
  readonly retry: () => unknown;
}

function Forbidden({ message }: { readonly message: string }) {
  const me = useMe();
  const needed = PERMISSIONS.find((permission) => message.includes(permission));
  return (
    <Notice title={needed === undefined ? 'You may not see this' : `This needs ${needed}`} kind="caution">
      {me.user.role === null ? null : `Your role is ${me.user.role}. `}An administrator of {me.tenant.id} can give you
      another one.
    </Notice>
  );
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
  if (isProblem(error, 403)) return <Forbidden message={error.message} />;
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
  const requestId = isProblem(error) ? error.requestId : null;
  return (
    <Notice kind="bad" title={`${what} could not be read`} ways={<Retry retry={retry} />}>
      {isProblem(error) ? error.message : 'The page met an error of its own.'}
      {requestId === null ? null : (
        <div>
          Request <span className={classes.id}>{requestId}</span>
        </div>
      )}
    </Notice>
  );
}
