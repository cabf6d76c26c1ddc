import type { Bearer } from '#console/api/link/call.ts';
import { type Channel, type Grant, type Locked, renewalAt, type SessionMessage } from './messages.ts';
import type { Credentials, SignIn } from './sign-in.ts';

/** `starting`: it is not known yet. `out`: nobody is signed in; `lost`: somebody was, and the page stays. */
type SessionState = 'starting' | 'in' | 'out' | 'lost';

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
  readonly now: () => number;
  /** Called when somebody else may sit in front of the page now. */
  readonly forget: () => void;
}

const LOCK = 'faultline-renew';
/** A tab that was asleep may have missed its time: the shortest a timer waits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function openSession({ signIn, channel, locked, now, forget }: Given): Session {
  let state: SessionState = 'starting';
  let grant: Grant | null = null;
  let refused: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();

  const become = (next: SessionState): void => {
    state = next;
    for (const listener of listeners) listener();
    if (next !== 'in') return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const ended = (): void => {
    clearTimeout(timer);
    grant = null;
    if (state !== 'out' && state !== 'lost') become(state === 'in' ? 'lost' : 'out');
  };
  const granted = (next: Grant): void => {
    clearTimeout(timer);
    grant = next;
    refused = null;
    if (next.renews) {
      const wait = Math.min(LONGEST_TIMER_MS, renewalAt(now(), next) - now());
      timer = setTimeout(() => void renew(next.token), wait);
    }
    become('in');
  };
  const share = (next: Grant): void => {
    granted(next);
    if (next.renews) channel.post({ kind: 'granted', grant: next });
  };

  /** One tab renews; the others, which wait for the lock, find that there is a token already. */
  const renew = (used: string | null): Promise<boolean> =>
    locked(LOCK, async () => {
      if (grant !== null && grant.token !== used) return true;
      if (grant !== null && !grant.renews) {
        ended();
        return false;
      }
      const next = await signIn.renew();
      if (next === 'unreachable') return false;
      if (next === null) ended();
      else share(next);
      return next !== null;
    });

  const stopListening = channel.listen((message) => {
    if (message.kind === 'granted' && (grant === null || grant.renews)) granted(message.grant);
    if (message.kind === 'asked' && grant?.renews) channel.post({ kind: 'granted', grant });
    if (message.kind === 'ended' && (grant === null || grant.renews)) {
      forget();
      clearTimeout(timer);
      grant = null;
      become('out');
    }
  });

  return {
    state: () => state,
    token: () => grant?.token ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isShared: () => grant?.renews ?? true,
    refusal: () => refused,
    async start(refusal) {
      refused = refusal ?? null;
      channel.post({ kind: 'asked' });
      await renew(null);
      if (grant === null && state === 'starting') become('out');
    },
    renew,
    signedIn: (signal) =>
      new Promise((resolve, reject) => {
        ended();
        waiting.add(resolve);
        signal?.addEventListener('abort', () => {
          waiting.delete(resolve);
          reject(signal.reason);
        });
      }),
    async signIn(credentials) {
      share(await signIn.enter(credentials));
    },
    async signOut() {
      const isShared = grant?.renews ?? true;
      if (isShared) await signIn.leave().catch(() => undefined);
      forget();
      clearTimeout(timer);
      grant = null;
      if (isShared) channel.post({ kind: 'ended' });
      become('out');
    },
    close() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
