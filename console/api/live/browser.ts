import { addressOf } from '#console/api/link/address.ts';
import { openChannel } from '#console/api/session/browser.ts';
import type { Channel } from '#console/api/session/messages.ts';
import type { Session } from '#console/api/session/session.ts';
import type { BrowserClock } from '#console/time/clock.ts';
import { type Live, type LiveMessageData, openLive } from './live.ts';
import { readLive } from './reader.ts';
import { leadWhileSeen } from './seen.ts';
import { readStream } from './stream.ts';

type Lead = Parameters<typeof openLive>[0]['lead'];

const leadBy = (name: string): Lead =>
  'locks' in navigator
    ? (work, signal) => navigator.locks.request(name, { signal }, () => work(signal))
    : (work, signal) => leadWhileSeen(document, work, signal);

const ALONE: Channel<LiveMessageData> = { post: () => undefined, listen: () => () => undefined };

/** The live stream of who is signed in. Tabs share it when they share the sign-in. */
export function openBrowserLive(root: string, session: Session, clock: BrowserClock, tenant: string | null): Live {
  const name = `faultline-live ${root} ${tenant ?? ''}`;
  const isShared = session.isShared();
  let used: string | null = null;
  return openLive({
    channel: isShared && 'locks' in navigator ? openChannel<LiveMessageData>(name) : ALONE,
    lead: isShared ? leadBy(name) : (work, signal) => work(signal),
    read: (show, tell, signal) =>
      readLive(
        {
          connect: (position, broken, told) => {
            used = session.token();
            return readStream({
              address: addressOf(root, '/sse/changes'),
              token: used ?? '',
              tenant,
              position,
              signal: broken,
              fetch: (...request) => fetch(...request),
              now: clock.now,
              tell: told,
            });
          },
          // A stream outlives its token; by then there may be another one, which is good.
          renew: () => session.renew(used),
          now: clock.now,
          setServerTime: clock.setServerTime,
          show,
          tell,
        },
        signal,
      ),
  });
}
