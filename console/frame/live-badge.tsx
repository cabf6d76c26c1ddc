import { useLiveState } from '#console/hooks/use-live.ts';
import { useAge, useTicking, useTimes } from '#console/hooks/use-times.ts';
import { duration } from '#console/text/times.ts';
import classes from './frame.module.css';
import * as text from './texts.ts';

const KINDS = {
  connecting: 'Connecting',
  live: 'Live',
  stale: 'stale',
  polling: text.polling,
  off: text.updatesOff,
} as const;

/** Time since the last message of the server; not announced, as it changes each second. */
function Age({ asOf }: { readonly asOf: number }) {
  return (
    <span className={classes.liveAge} aria-hidden>
      {useAge(asOf)}
    </span>
  );
}

/** Shows the reliability of the page's data. */
export function LiveBadge() {
  const { kind, asOf, retryAt } = useLiveState();
  const { when } = useTimes();
  const again = useTicking((now) => (retryAt === null ? '' : duration(Math.max(0, retryAt - now))));
  const said = kind === 'stale' ? text.asOf(when(asOf)) : KINDS[kind];
  return (
    <span className={classes.live} data-kind={kind} role="status" title={TITLES[kind]}>
      <span className={classes.dot} aria-hidden />
      <span>
        {said}
        {kind === 'polling' ? <span className={classes.liveMore}>{text.every10s}</span> : null}
        {kind === 'stale' ? <span className={classes.liveMore}>{text.reconnecting}</span> : null}
        {kind === 'stale' && again !== '0s' ? (
          <span className={classes.liveMore} aria-hidden>
            {' '}
            {text.reconnectingIn(again)}
          </span>
        ) : null}
      </span>
      {kind === 'live' ? <Age asOf={asOf} /> : null}
    </span>
  );
}

const TITLES = {
  connecting: text.connectingLiveStream,
  live: text.liveUpdatesTimeSince,
  stale: text.liveUpdatesLostData,
  polling: text.noLiveStreamRefreshing,
  off: text.youDontHavePermission,
} as const;
