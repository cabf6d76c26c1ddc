import type { Claims } from './assignment.ts';

/** One attempt of a browser, stored in its cookie only. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A person, proven by the issuer or by a proxy in front. */
export interface ProvenIdentity {
  readonly method: 'oidc' | 'proxy';
  readonly subject: string;
  readonly claims: Claims;
  /** Refresh token, which the issuer alone can open. Null: there is none, so that the session cannot be checked again. */
  readonly sealedToken: string | null;
  /** ID token, sealed, with which the issuer ends its own session. Null: it gave none. */
  readonly signOutHint: string | null;
}

/** A sign-in on another device, for which a program waits. */
export interface DeviceAttempt {
  /** Device code, sealed: only this server can ask with it. */
  readonly device: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same with the code in it. */
  readonly completeUri: string | null;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds between two questions. */
  readonly interval: number;
}

/** The company's identity provider. */
export interface Issuer {
  readonly url: string;
  /** Key of seals on attempts, base64; the same in all processes. */
  readonly sealKey: string;
  /** Address at the issuer that begins an attempt. Throws when the issuer does not answer. */
  begin(redirectUri: string, attempt: Pick<SignInAttempt, 'state' | 'nonce' | 'verifier'>): Promise<string>;
  /** Exchanges the code. Throws when anything about the answer is wrong. */
  finish(callback: string, attempt: Pick<SignInAttempt, 'state' | 'nonce' | 'verifier'>): Promise<ProvenIdentity>;
  /** Null: the issuer offers this client no device authorization. Throws when it does not answer. */
  beginDevice(): Promise<DeviceAttempt | null>;
  /** `ended`: denied, expired, used or not ours. Throws when the issuer does not answer, or wrongly. */
  askDevice(device: string): Promise<ProvenIdentity | 'pending' | 'slow-down' | 'ended'>;
  /** Address at the issuer that ends its session; null: it has none. */
  signOutUrl(hint: string, returnTo: string): Promise<string | null>;
  /** `ended`: the issuer refuses the person now, or the token is sealed otherwise; `unreachable`: no answer. */
  again(subject: string, sealedToken: string): Promise<ProvenIdentity | 'ended' | 'unreachable'>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    /** Null: none is configured. */
    readonly issuer: Issuer | null;
    /** Beginning of the headers in which a proxy names its user; others than trusted proxies cannot send them. Null: none. */
    readonly proxySignIn: string | null;
  }
}

export const SIGN_IN_KINDS = {
  /** (system) By hash of issuer and subject: the user, and its next check. */
  person: 'oidc-person',
  /** (system) By hash of the state: an attempt that was used. */
  used: 'oidc-used',
} as const;

/** Settings of the instance, in its first tenant. */
export const SIGN_IN_SETTINGS = { kind: 'settings', id: 'sign-in', action: 'settings.sign-in.updated' } as const;
