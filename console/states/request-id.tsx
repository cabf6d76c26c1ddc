import { isProblem } from '#console/api/link/problem.ts';
import classes from './states.module.css';
import * as text from './texts.ts';

/** The number under which the server's log has the request that failed. */
export function RequestId({ error }: { readonly error: unknown }) {
  const id = isProblem(error) ? error.requestId : null;
  return id === null ? null : (
    <>
      {' '}
      {text.requestId} <span className={classes.id}>{id}</span>
    </>
  );
}
