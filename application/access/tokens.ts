import { inTurn } from '#application/records/in-turn.ts';
import { lifetimeOf } from '#domain/access/expiry.ts';
import { mayGrant } from '#domain/access/grant.ts';
import type { Permission, Role } from '#domain/access/permissions.ts';
import { ACCESS_KINDS, BOOTSTRAP_TOKEN_ID, type TokenKind, type TokenRecord } from '#domain/access/records.ts';
import { MAX_PREVIOUS_VALUES, rotated } from '#domain/access/rotation.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { actorOf } from './actor.ts';
import { audited } from './audit.ts';
import type { UseCaseContext } from './context.ts';
import { issueToken, newValue, revokeToken, saveToken } from './token-store.ts';

export interface TokenDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: TokenKind;
  /** One of role and scopes. */
  readonly role: Role | null;
  readonly scopes: readonly Permission[];
  /** `<n>` s|m|h|d|w or `never`; absent: none for a token that only sends events, 90 days for any other. */
  readonly expiresIn?: string | undefined;
  /** Requests per minute by limit class. */
  readonly limits: Readonly<Record<string, number | undefined>>;
}
export interface IssuedToken {
  /** Shown once. */
  readonly token: string;
  readonly record: TokenRecord;
}
/** Absent fields stay; null among the limits restores the default. */
export interface TokenChange {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly limits?: Readonly<Record<string, number | null | undefined>> | undefined;
  /** Duration from now on. */
  readonly expiresIn?: string | undefined;
}
export interface TokenRotation {
  readonly id: string;
  /** `<n>` s|m|h|d|w, at most 7d. */
  readonly overlap: string;
  /** Expiry of the new value; absent: the lifetime of the previous value. */
  readonly expiresIn?: string | undefined;
}

/** A token as it may be audited: without its hashes. */
const publicToken = ({ hash: _, previous: __, lastUsedAt: ___, createdBy: ____, ...token }: TokenRecord) => token;

/**
 * Creates a token of any kind (`fld_` for discovery) and audits it. Throws Fault `forbidden` when it could do more than
 * the caller, `invalid` for a bad expiresIn.
 */
export const createToken = async (context: UseCaseContext, draft: TokenDraft): Promise<IssuedToken> => {
  const { tenant, caller, ports } = context;
  const { name, description, kind, role } = draft;
  const limits = draft.limits as TokenRecord['limits'];
  const scopes = [...new Set(draft.scopes)];
  if (!mayGrant(caller.permissions, { role, scopes }))
    throw new Fault('forbidden', "A token can't have permissions you don't have");
  const createdAt = ports.clock.now();
  const lifetime = lifetimeOf({ role, scopes }, draft.expiresIn);
  const expiresAt = lifetime === null ? null : createdAt + lifetime;
  const createdBy = actorOf(caller);
  const fields = { name, description, kind, role, scopes, limits, createdAt, createdBy, expiresAt };
  return issueToken(ports, tenant, fields, (record) => {
    const target = { kind: 'token', id: record.id };
    return [audited(context, { action: 'token.created', target, before: null, after: publicToken(record) })];
  });
};

const storedToken = async ({ tenant, ports }: UseCaseContext, id: string): Promise<StoredRecord<TokenRecord>> => {
  const stored = await ports.records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id);
  if (stored === null) throw notFound('Token', id);
  return stored;
};

export const findToken = async (context: UseCaseContext, id: string): Promise<TokenRecord> =>
  (await storedToken(context, id)).body;

/** A caller cannot change or end a token with more rights than the caller's own. */
const requireRank = ({ caller }: UseCaseContext, token: TokenRecord): void => {
  if (!mayGrant(caller.permissions, token))
    throw new Fault('forbidden', "You can't manage a token with more permissions than you have");
};

/** Writes the result of `change`, with its entry in the audit trail; a note of its use may interfere. */
const rewrite = (
  context: UseCaseContext,
  id: string,
  action: string,
  change: (before: TokenRecord) => TokenRecord,
): Promise<TokenRecord> => {
  const { tenant, ports } = context;
  return inTurn(ports, { of: ['token', tenant, id], ifMatch: null }, async () => {
    const { body: before, revision } = await storedToken(context, id);
    requireRank(context, before);
    if (id === BOOTSTRAP_TOKEN_ID)
      throw new Fault('conflict', "This token is set by FAULTLINE_BOOTSTRAP_TOKEN and can't be changed here");
    const after = change(before);
    const [was, is] = [publicToken(before), publicToken(after)];
    const entry = audited(context, { action, target: { kind: 'token', id }, before: was, after: is });
    await saveToken(ports, tenant, after, { sideRecords: [entry], expected: revision });
    return after;
  });
};

/** Changes name, description, limits or expiry; an expired token that is still listed is valid again with a new expiry. */
export const changeToken = (context: UseCaseContext, { id, expiresIn, ...change }: TokenChange): Promise<TokenRecord> =>
  rewrite(context, id, 'token.updated', (before) => {
    const { name = before.name, description = before.description } = change;
    const limits = mergeOverrides(before.limits, change.limits ?? {}) as TokenRecord['limits'];
    if (expiresIn === undefined) return { ...before, name, description, limits };
    const lifetime = lifetimeOf(before, expiresIn);
    const expiresAt = lifetime === null ? null : context.ports.clock.now() + lifetime;
    return { ...before, name, description, limits, expiresAt };
  });

/** Sets a new value of the token; the old one stays valid for the overlap. */
export const rotateToken = async (context: UseCaseContext, rotation: TokenRotation): Promise<IssuedToken> => {
  const { ports } = context;
  const { kind } = await findToken(context, rotation.id);
  const { token, hash } = newValue(ports, kind);
  const record = await rewrite(context, rotation.id, 'token.rotated', (before) => {
    const after = rotated(before, hash, rotation, ports.clock.now());
    if ((after.previous?.length ?? 0) <= MAX_PREVIOUS_VALUES) return after;
    throw new Fault('conflict', `${MAX_PREVIOUS_VALUES} previous values are still valid. Wait until one expires.`);
  });
  return { token, record };
};

/** Revokes a token with all its values. */
export const removeToken = async (context: UseCaseContext, id: string): Promise<void> => {
  const token = await findToken(context, id);
  requireRank(context, token);
  const target = { kind: 'token', id };
  const entry = audited(context, { action: 'token.revoked', target, before: publicToken(token), after: null });
  await revokeToken(context.ports, context.tenant, token, [entry]);
};
