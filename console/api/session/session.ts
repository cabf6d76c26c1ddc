import type { Bearer } from '#console/api/link/call.ts';
import {
  type Board,
  type Channel,
  type Grant,
  type Locked,
  type NewGrant,
  renewalAt,
  type SessionMessage,
} from './messages.ts';
import type { Credentials, SignIn } from './sign-in.ts';

/** A tab that was asleep may have missed its time: the shortest a timer waits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface HeldGrant {
  readonly now: () => Grant | null;
  /** Number of the newest grant that this tab has had, also when it has none now. */
  readonly newest: () => number;
  /** Resolves when other tabs can see that this one has it. */
  readonly take: (grant: Grant) => Promise<void>;
  /** Waits until a grant of this number or a later one is here, or the time is over. */
  readonly arrived: (generation: number, longestMs: number) => Promise<void>;
  readonly drop: () => void;
  readonly stopTimer: () => void;
}

/** The grant that a tab has; `renew` is called with its token before it ends. */
function openHeldGrant(now: () => number, board: Board, renew: (token: string) => unknown): HeldGrant {
  let grant: Grant | null = null;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();
  const stopTimer = (): void => clearTimeout(timer);
  return {
    now: () => grant,
    newest: () => newest,
    async take(next) {
      stopTimer();
      grant = next;
      if (!next.renews) return board.show(null);
      newest = Math.max(newest, next.generation);
      const wait = Math.min(LONGEST_TIMER_MS, renewalAt(now(), next) - now());
      timer = setTimeout(() => renew(next.token), wait);
      for (const look of waiting) look();
      await board.show(next.generation);
    },
    arrived: (generation, longestMs) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(late);
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (newest >= generation) end();
        };
        const late = setTimeout(end, longestMs);
        waiting.add(look);
        look();
      }),
    drop() {
      stopTimer();
      grant = null;
      void board.show(null);
    },
    stopTimer,
  };
}

/** `starting`: unknown. `out`: no user is signed in; `lost`: the sign-in ended, and the page stays. */
type SessionState = 'starting' | 'in' | 'out' | 'lost';

interface SessionStanding {
  readonly now: () => SessionState;
  readonly become: (next: SessionState) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves when a user signs in, or the signal aborts. */
  readonly untilIn: (signal?: AbortSignal) => Promise<void>;
}

/** Sign-in state, for subscribers and waiting callers. */
function openStanding(): SessionStanding {
  let state: SessionState = 'starting';
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();
  return {
    now: () => state,
    become(next) {
      state = next;
      for (const listener of listeners) listener();
      if (next !== 'in') return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    untilIn: (signal) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        signal?.addEventListener('abort', () => {
          waiting.delete(resolve);
          reject(signal.reason);
        });
      }),
  };
}

export interface Session extends Bearer {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns true if all tabs have this sign-in; a token of the API stays in one. */
  readonly isShared: () => boolean;
  /** Looks whether the cookie of an earlier sign-in is still good; `refusal`: why the credential of the address was not. */
  readonly start: (refusal?: string) => Promise<void>;
  /** Returns the reason why a given credential was refused; null after a sign-in. */
  readonly refusal: () => string | null;
  /** Throws `Problem`. */
  readonly signIn: (credentials: Credentials) => Promise<void>;
  /** Signs out in all tabs. Returns the address that the browser must open to end the session; null: there is none. */
  readonly signOut: () => Promise<string | null>;
  readonly close: () => void;
}

interface SessionParts {
  readonly signIn: SignIn;
  readonly channel: Channel<SessionMessage>;
  readonly locked: Locked;
  readonly board: Board;
  readonly now: () => number;
  /** Called when another user may be using the page now. */
  readonly forget: () => void;
}

const LOCK = 'faultline-renew';
/** A message of another tab is here within milliseconds; a tab that sleeps may never send one. */
const LONGEST_WAY_MS = 2_000;

/** The state of a session, and its changes. */
function openHeld({ signIn, channel, locked, board, now }: SessionParts) {
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
  /** Messages of other tabs may be slower than the lock: this waits for grants made before this turn. */
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

export function openSession(given: SessionParts): Session {
  const { signIn, channel, forget } = given;
  const { standing, held, ended, granted, share, renew, refusal, refuse } = openHeld(given);
  const isShared = (): boolean => held.now()?.renews ?? true;
  const leave = (): void => {
    forget();
    held.drop();
  };
  const stopListening = channel.listen((message) => {
    const grant = held.now();
    // An answer to another tab may be older than the local one.
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
      const next = isOfAll ? await signIn.leave().catch(() => null) : null;
      leave();
      if (isOfAll) channel.post({ kind: 'ended' });
      standing.become('out');
      return next;
    },
    close() {
      held.stopTimer();
      stopListening();
    },
  };
}
