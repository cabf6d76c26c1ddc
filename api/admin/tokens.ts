import { actorOf } from '#api/access/actor.ts';
import { audited } from '#api/access/audit.ts';
import { issueToken, revokeToken } from '#api/access/token-store.ts';
import type { Context } from '#api/endpoint.ts';
import { parseExpiresIn } from '#domain/access/expiry.ts';
import { mayGrant } from '#domain/access/grant.ts';
import type { Permission, Role } from '#domain/access/permissions.ts';
import { ACCESS_KINDS, type TokenKind, type TokenRecord } from '#domain/access/records.ts';
import { Fault, notFound } from '#domain/fault.ts';

export interface TokenDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: TokenKind;
  /** One of role and scopes. */
  readonly role: Role | null;
  readonly scopes: readonly Permission[];
  /** `<n>` s|m|h|d|w. */
  readonly expiresIn: string;
  /** Requests per minute by limit class. */
  readonly limits: Readonly<Record<string, number>>;
}
export interface IssuedToken {
  /** Shown once. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** A token as it may be audited: without its hash. */
const publicToken = ({ hash: _, lastUsedAt: __, createdBy: ___, ...token }: TokenRecord) => token;

/**
 * Creates a token of any kind (`fld_` for discovery) and audits it. Throws Fault `forbidden` when it could do more than
 * the caller, `invalid` for a bad expiresIn.
 */
export const createToken = async (context: Context, draft: TokenDraft): Promise<IssuedToken> => {
  const { tenant, caller, ports } = context;
  const { name, description, kind, role, limits } = draft;
  const scopes = [...new Set(draft.scopes)];
  if (!mayGrant(caller.permissions, { role, scopes }))
    throw new Fault('forbidden', 'A token cannot have permissions that its creator does not have');
  const createdAt = ports.clock.now();
  const expiresAt = createdAt + parseExpiresIn(draft.expiresIn);
  const createdBy = actorOf(caller);
  const fields = { name, description, kind, role, scopes, limits, createdAt, createdBy, expiresAt };
  return issueToken(ports, tenant, fields, (record) => {
    const target = { kind: 'token', id: record.id };
    return [audited(context, { action: 'token.created', target, before: null, after: publicToken(record) })];
  });
};

export const findToken = async ({ tenant, ports }: Context, id: string): Promise<TokenRecord> => {
  const stored = await ports.records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id);
  if (stored === null) throw notFound('Token', id);
  return stored.body;
};

/** Revokes a token; nobody revokes one that can do more than he can. */
export const removeToken = async (context: Context, id: string): Promise<void> => {
  const token = await findToken(context, id);
  if (!mayGrant(context.caller.permissions, token))
    throw new Fault('forbidden', 'This token has permissions that you do not have');
  const target = { kind: 'token', id };
  const entry = audited(context, { action: 'token.revoked', target, before: publicToken(token), after: null });
  await revokeToken(context.ports.records, context.tenant, token, [entry]);
};
