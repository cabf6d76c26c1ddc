/** Documents about access. Times in epoch ms. */
import type { Actor } from '#domain/event/event.ts';
import type { RequestDoor } from '#domain/event/incoming.ts';
import type { Permission, Role } from './permissions.ts';

/** Kinds of the record store; `(system)` marks those stored under SYSTEM_TENANT. */
export const ACCESS_KINDS = {
  /** (system) By tenant id. */
  tenant: 'tenant',
  /** (system) By SHA-256 of the token: the tenant and id it belongs to. */
  credential: 'credential',
  /** (system) By family id: one login and its refresh tokens. */
  session: 'session',
  /** (system) By SHA-256 of the code in the link of the first start. */
  startCode: 'start-code',
  /** (system) By SHA-256 of the code in a link that sets a password. */
  passwordLink: 'password-link',
  /** (system) The single record INSTANCE_ID. */
  instance: 'instance',
  user: 'user',
  /** User id by lower-case user name; makes names unique. */
  username: 'username',
  /** User id by lower-case email address; makes addresses unique. */
  userMail: 'user-mail',
  token: 'token',
  /** The single record TENANT_LIMITS_ID. */
  limits: 'limits',
  /** The single record ADMINS_ID, written with every change of who administers, so that two changes cannot cross. */
  admins: 'admins',
  audit: 'audit',
} as const;

export const INSTANCE_ID = 'instance';
export const TENANT_LIMITS_ID = 'tenant';
export const ADMINS_ID = 'admins';
/** Id of the token that FAULTLINE_BOOTSTRAP_TOKEN makes. */
export const BOOTSTRAP_TOKEN_ID = 'bootstrap';

export interface TenantRecord {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
  /** Absent: active. */
  readonly state?: 'deleting' | 'deleted';
  readonly stateSince?: number;
  /** Time when the name of a deleted tenant is free again, and time of the last sweep of its data. */
  readonly takenUntil?: number;
  readonly sweptAt?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface UserRecord {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly passwordHash: string;
  /** Absent or null: no email address. */
  readonly mail?: string | null;
  /** End of an invitation that was not accepted yet. */
  readonly invitedUntil?: number;
  /** Grows when earlier tokens must become invalid: new password, disabled. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type TokenKind = 'api_key' | 'service_account' | 'integration' | 'discovery';

export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: TokenKind;
  /** Null when the rights are a list of scopes. */
  readonly role: Role | null;
  readonly scopes: readonly Permission[];
  /** Requests per minute by limit class; replace the defaults. */
  readonly limits: Readonly<Record<string, number>>;
  /** SHA-256, hex. The token itself is not stored. */
  readonly hash: string;
  /** Earlier values that are valid until their time, after a rotation. */
  readonly previous?: readonly PreviousValue[];
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** Time when the current value was issued, after a rotation. */
  readonly rotatedAt?: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Exact to a minute. */
  readonly lastUsedAt: number | null;
}

interface PreviousValue {
  readonly hash: string;
  readonly until: number;
}

export interface CredentialRecord {
  readonly tenant: string;
  readonly token: string;
  /** Kind from the token's record, so that one scan finds what expires. */
  readonly kind: TokenKind;
  readonly expiresAt: number | null;
  /** The value is refused; the record stays for 30 days, so that a refusal can name the token. */
  readonly ended?: 'revoked';
}

/** One login. Two secrets, stored as hashes only: one for the family, one that changes at each use. */
export interface SessionRecord {
  readonly tenant: string;
  readonly user: string;
  /** The user's version at login. */
  readonly version: number;
  readonly familyHash: string;
  readonly currentHash: string;
  /**
   * The token replaced by the current one: until then, epoch ms, it returns the current one again, which is made with
   * the salt.
   */
  readonly replaced?: { readonly hash: string; readonly salt: string; readonly until: number };
  /** Absent: the client stores the refresh token itself. */
  readonly console?: ConsoleSession;
  readonly createdAt: number;
}

/** A session whose refresh token is in a cookie. */
export interface ConsoleSession {
  /** Set when an identity provider began it: with this its own session ends, too. */
  readonly signOutHint?: string;
  /** Also when the browser was closed in between. */
  readonly remember: boolean;
}

/** A link that sets the password of a user once. */
export interface PasswordLinkRecord {
  readonly tenant: string;
  readonly user: string;
  /** Version and address of the user at the request: the link ends with either. */
  readonly version: number;
  readonly mail: string;
  /** The `invitedUntil` of an invitation; null: the reset of a password. */
  readonly invitedUntil: number | null;
}

export interface InstanceRecord {
  /** Tenant of a login that names none. */
  readonly tenant: string;
  /** Hash of a random password, verified for unknown users so that response times are equal. */
  readonly dummyHash: string;
}

export interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string };
  /** Record without secrets; null when it did not exist. */
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string;
  readonly department: string | null;
  /** Absent: the HTTP interface itself. */
  readonly via?: RequestDoor;
}
