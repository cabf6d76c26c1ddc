import type { Actor } from '#domain/event/event.ts';
import type { CredentialKind, LimitClass } from '#domain/limit-class.ts';
import type { Permission, Role } from './permissions.ts';

/** The caller of a request. */
export interface Caller extends Actor {
  readonly tenant: string;
  readonly kind: CredentialKind;
  readonly role: Role | null;
  readonly permissions: ReadonlySet<Permission>;
  /** Id of the credential: token id, or user id for a JWT. */
  readonly credentialId: string;
  /** Limits set for this tenant and this token, by limit class, per minute; they replace the defaults. */
  readonly limits: { readonly tenant: LimitOverrides; readonly token: LimitOverrides };
  /** End of the credential, epoch ms; null or absent: never. */
  readonly expiresAt?: number | null;
}

export type LimitOverrides = Readonly<Partial<Record<LimitClass, number>>>;

/** Id of a caller who has only a signed link. */
export const LINK_HOLDER = 'link';
