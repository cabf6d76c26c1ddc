import type { Bearer } from '#console/api/link/call.ts';
import { openHeldGrant } from './held-grant.ts';
import type { Board, Channel, Grant, Locked, NewGrant, SessionMessage } from './messages.ts';
import type { Credentials, SignIn } from './sign-in.ts';
import { openStanding, type SessionState } from './standing.ts';

export interface Session extends Bearer {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether all tabs have this sign-in; a token of the API stays in one. */
  readonly isShared: () => boolean;
  /** Looks whether the cookie of an earlier sign-in is still good; `refusal`: why the credential of the address was not. */
  readonly start: (refusal?: string) => Promise<void>;
  /** Why a credential that was brought along was refused; null once somebody has signed in. */
  readonly refusal: () => string | null;
  /** Throws `Problem`. */
  readonly signIn: (credentials: Credentials) => Promise<void>;
  /** In all tabs. */
  readonly signOut: () => Promise<void>;
  readonly close: () => void;
}

interface Given {
  readonly signIn: SignIn;
  readonly channel: Channel<SessionMessage>;
  readonly locked: Locked;
  readonly board: Board;
  readonly now: () => number;
  /** Called when somebody else may sit in front of the page now. */
  readonly forget: () => void;
}

const LOCK = 'faultline-renew';
/** A message of another tab is here within milliseconds; a tab that sleeps may never send one. */
const LONGEST_WAY_MS = 2_000;

/** The state of a session, and its changes. */
function openHeld({ signIn, channel, locked, board, now }: Given) {
  const standing = openStanding();
  const held = openHeldGrant(now, board, (token) => void renew(token));
  let refused: string | null = null;

  const ended = (): void => {
    held.drop();
    const state = standing.now();
    if (state !== 'out' && state !== 'lost') standing.become(state === 'in' ? 'lost' : 'out');
  };
  const granted = (next: Grant): Promise<void> => {
    const taken = held.take(next);
    refused = null;
    standing.become('in');
    return taken;
  };
  const share = (given: NewGrant): Promise<void> => {
    const next = { ...given, generation: Math.max(now(), held.newest() + 1) };
    if (next.renews) channel.post({ kind: 'granted', grant: next });
    return granted(next);
  };
  /** Messages of other tabs may take longer than the lock: what one was given before this turn is waited for. */
  const caughtUp = async (): Promise<void> => {
    if (held.now()?.renews === false) return;
    await held.arrived(await board.greatest(), LONGEST_WAY_MS);
  };
  /** One tab renews; the others, which wait for the lock, find that there is a token already. */
  const renew = (used: string | null): Promise<boolean> =>
    locked(LOCK, async () => {
      await caughtUp();
      const grant = held.now();
      if (grant !== null && grant.token !== used) return true;
      if (grant !== null && !grant.renews) {
        ended();
        return false;
      }
      const next = await signIn.renew();
      if (next === 'unreachable') return false;
      if (next === null) ended();
      else await share(next);
      return next !== null;
    });
  return {
    standing,
    held,
    ended,
    granted,
    share,
    renew,
    refusal: () => refused,
    refuse(why: string | null): void {
      refused = why;
    },
  };
}

export function openSession(given: Given): Session {
  const { signIn, channel, forget } = given;
  const { standing, held, ended, granted, share, renew, refusal, refuse } = openHeld(given);
  const isShared = (): boolean => held.now()?.renews ?? true;
  const leave = (): void => {
    forget();
    held.drop();
  };
  const stopListening = channel.listen((message) => {
    const grant = held.now();
    // An answer to another tab may be older than what is here.
    if (message.kind === 'granted' && isShared() && message.grant.generation > held.newest())
      void granted(message.grant);
    if (message.kind === 'asked' && grant?.renews) channel.post({ kind: 'granted', grant });
    if (message.kind === 'ended' && isShared()) {
      leave();
      standing.become('out');
    }
  });

  return {
    state: standing.now,
    token: () => held.now()?.token ?? null,
    subscribe: standing.subscribe,
    isShared,
    refusal,
    async start(why) {
      refuse(why ?? null);
      channel.post({ kind: 'asked' });
      await renew(null);
      if (held.now() === null && standing.now() === 'starting') standing.become('out');
    },
    renew,
    signedIn(signal) {
      ended();
      return standing.untilIn(signal);
    },
    async signIn(credentials) {
      await share(await signIn.enter(credentials));
    },
    async signOut() {
      const isOfAll = isShared();
      if (isOfAll) await signIn.leave().catch(() => undefined);
      leave();
      if (isOfAll) channel.post({ kind: 'ended' });
      standing.become('out');
    },
    close() {
      held.stopTimer();
      stopListening();
    },
  };
}
