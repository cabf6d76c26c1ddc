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
export const SIGN_IN_SETTINGS = {
  kind: 'settings',
  id: 'sign-in',
  action: 'settings.sign-in.updated',
} as const;
