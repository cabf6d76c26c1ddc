import { useLiveState } from '#console/hooks/use-live.ts';
import { useAge, useTicking, useTimes } from '#console/hooks/use-times.ts';
import { duration } from '#console/words/times.ts';
import classes from './frame.module.css';

const KINDS = {
  connecting: 'connecting',
  live: 'live',
  stale: 'stale',
  polling: 'every 10 s',
  off: 'not live',
} as const;

/** Since when the server was heard; not announced, as it changes each second. */
function Age({ asOf }: { readonly asOf: number }) {
  return (
    <span className={classes.liveAge} aria-hidden>
      {useAge(asOf)}
    </span>
  );
}

/** How far what the page shows can be trusted. */
export function LiveBadge() {
  const { kind, asOf, retryAt } = useLiveState();
  const { when } = useTimes();
  const again = useTicking((now) => (retryAt === null ? '' : duration(Math.max(0, retryAt - now))));
  const said = kind === 'stale' ? `as of ${when(asOf)}` : KINDS[kind];
  return (
    <span className={classes.live} data-kind={kind} role="status" title={TITLES[kind]}>
      <span className={classes.dot} aria-hidden />
      <span>
        {said}
        {kind === 'stale' ? <span className={classes.liveMore}>, reconnecting</span> : null}
        {kind === 'stale' && again !== '0 s' ? (
          <span className={classes.liveMore} aria-hidden>
            {' '}
            in {again}
          </span>
        ) : null}
      </span>
      {kind === 'live' ? <Age asOf={asOf} /> : null}
    </span>
  );
}

const TITLES = {
  connecting: 'The live stream is being opened',
  live: 'Changes are shown as they happen; the server says something at least every 15 s, and did so that long ago',
  stale: 'The live stream is lost: what you see may be old, and you can go on working',
  polling: 'There is no live stream here; the page is read anew every 10 s',
  off: 'You may not read any topic of the live stream',
} as const;
