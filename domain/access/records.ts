/** Documents about access. Times in epoch ms. */
import type { Actor } from '#domain/event/event.ts';
import type { Permission, Role } from './permissions.ts';

/** Kinds of the record store; `(system)` marks those kept under SYSTEM_TENANT. */
export const ACCESS_KINDS = {
  /** (system) By tenant id. */
  tenant: 'tenant',
  /** (system) By SHA-256 of the token: the tenant and id it belongs to. */
  credential: 'credential',
  /** (system) By family id: one login and its refresh tokens. */
  session: 'session',
  /** (system) By SHA-256 of the code in the link of the first start. */
  startCode: 'start-code',
  /** (system) The single record INSTANCE_ID. */
  instance: 'instance',
  user: 'user',
  /** By lower-case user name: the user's id; makes names unique. */
  username: 'username',
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
  /** When the name of a deleted tenant is free again, and when the last of its data was looked for. */
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
  /** Grows when what was issued before must no longer be valid: new password, disabled. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type TokenKind = 'api_key' | 'service_account' | 'discovery';

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
  /** SHA-256, hex. The token itself is not kept. */
  readonly hash: string;
  /** Earlier values that are valid until their time, after a rotation. */
  readonly previous?: readonly PreviousValue[];
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** Of the current value, after a rotation. */
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
  /** As in the token's record, so that one scan finds what expires. */
  readonly kind: TokenKind;
  readonly expiresAt: number | null;
  /** The value is refused; the record stays for 30 days, so that a refusal can name the token. */
  readonly ended?: 'revoked';
}

/** One login. Two secrets, of which only hashes are kept: one for the family, one that changes at each use. */
export interface SessionRecord {
  readonly tenant: string;
  readonly user: string;
  /** The user's version at login. */
  readonly version: number;
  readonly familyHash: string;
  readonly currentHash: string;
  /** The token that the current one replaced: until then, epoch ms, it gives the current one again, which is made with the salt. */
  readonly replaced?: { readonly hash: string; readonly salt: string; readonly until: number };
  /** Absent: the client keeps the refresh token itself. */
  readonly console?: ConsoleSession;
  readonly createdAt: number;
}

/** The refresh token lies in a cookie. */
export interface ConsoleSession {
  /** Also when the browser was closed in between. */
  readonly remember: boolean;
}

export interface InstanceRecord {
  /** Tenant of a login that names none. */
  readonly tenant: string;
  /** Hash of a random password, verified for unknown users so that they take the same time. */
  readonly dummyHash: string;
}

export interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string };
  /** Without secrets; null when it did not exist. */
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string;
  readonly department: string | null;
}
