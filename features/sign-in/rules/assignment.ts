import type { Role } from '#domain/access/permissions.ts';
import { globMatches } from '#domain/glob.ts';

/** Claims about a person, from the ID token and the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Grants a role to persons with a matching value in the claim. */
interface SignInRule {
  readonly claim: string;
  /** A pattern with `*` and `?`. */
  readonly value: string;
  readonly role: Role;
  /** Absent: the first tenant. */
  readonly tenant?: string | undefined;
  /** Names of teams of the tenant. */
  readonly teams?: readonly string[] | undefined;
}
export interface SignInSettings {
  readonly rules: readonly SignInRule[];
  /** Role of those whom no rule matches. */
  readonly default: 'none' | 'viewer';
}
export const NO_RULES: SignInSettings = { rules: [], default: 'none' };

/** Rights that the rules give to a person. */
export interface RoleAssignment {
  readonly role: Role;
  /** Null: the first tenant. */
  readonly tenant: string | null;
  readonly teams: readonly string[];
  /** The rule, for the audit log. */
  readonly rule: string;
}

const valuesOf = (claim: unknown): string[] =>
  [claim].flat().flatMap((value) => (['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []));

/** The first rule that matches applies; null: no sign-in with these claims. */
export function assignmentFor({ rules, default: role }: SignInSettings, claims: Claims): RoleAssignment | null {
  for (const { claim, value, role: granted, tenant = null, teams = [] } of rules)
    if (Object.hasOwn(claims, claim) && valuesOf(claims[claim]).some((one) => globMatches(value, one)))
      return { role: granted, tenant, teams, rule: `${claim} = ${value}` };
  return role === 'none' ? null : { role, tenant: null, teams: [], rule: 'default' };
}

/** Claims in headers that begin with `prefix`; null: no user. A list of users is forged. */
export function proxiedClaims(
  prefix: string,
  headers: Readonly<Record<string, string | undefined>>,
): (Claims & { readonly sub: string }) | null {
  const told = (field: string): string | undefined => headers[`${prefix}-${field}`]?.trim() || undefined;
  const sub = told('user');
  if (sub === undefined || sub.length > 255 || sub.includes(',')) return null;
  const groups =
    told('groups')
      ?.split(',')
      .map((group) => group.trim()) ?? [];
  const own = { preferred_username: told('preferred-username'), name: told('name'), email: told('email') };
  return { sub, groups, ...own };
}

const HOME = '/ui/';

/** A page of the console; anything else becomes its first page, since a link could lead elsewhere. */
export function consolePage(asked: string | undefined): string {
  if (asked === undefined || !asked.startsWith('/') || !URL.canParse(asked, 'http://console.invalid')) return HOME;
  const { origin, pathname, search, hash } = new URL(asked, 'http://console.invalid');
  return origin === 'http://console.invalid' && pathname.startsWith(HOME) ? pathname + search + hash : HOME;
}
