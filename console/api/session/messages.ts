/** A token for the API, for as long as it is good. */
export interface NewGrant {
  readonly token: string;
  /** Epoch ms of this computer. */
  readonly expiresAt: number;
  /** True if a cookie renews it; an API token of a user is not renewed. */
  readonly renews: boolean;
}

/** Later grants of a browser have greater numbers, so that none is mistaken for an older one. */
export interface Grant extends NewGrant {
  readonly generation: number;
}

/** Messages among tabs of one console about the sign-in. */
export type SessionMessage =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | { readonly kind: 'ended' }
  | { readonly kind: 'asked' };

/** A `BroadcastChannel`, or something like it. */
export interface Channel<M> {
  readonly post: (message: M) => void;
  readonly listen: (listener: (message: M) => void) => () => void;
}

/** Runs work while no other tab runs work under this name. */
export type Locked = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Numbers of the grants that tabs have. A number that a tab shows while it holds a lock is visible to the next holder;
 * messages may arrive later.
 */
export interface Board {
  /** Replaces the number that this tab has shown before; null: none. */
  readonly show: (generation: number | null) => Promise<void>;
  /** 0 when no tab shows any. */
  readonly greatest: () => Promise<number>;
}

/** Returns the time to renew a grant, epoch ms: at 80 % of its life. */
export const renewalAt = (now: number, { expiresAt }: NewGrant): number =>
  now + Math.max(5_000, (expiresAt - now) * 0.8);
