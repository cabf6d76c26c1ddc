import { z } from 'zod';
import { DEFAULT_OVERLAP, MAX_EXPIRY_MS, MAX_OVERLAP_MS, NEVER } from '#domain/access/expiry.ts';
import { FEED } from '#domain/access/grant.ts';
import { passwordProblem } from '#domain/access/password.ts';
import { PERMISSIONS, ROLES } from '#domain/access/permissions.ts';
import { TENANT_ID, USERNAME } from '#domain/access/tenant.ts';
import { TENANT_STATES } from '#domain/access/tenant-state.ts';
import { COUNTED_CLASSES, CREDENTIAL_KINDS, SETTABLE_CLASSES, type SettableClass } from '#domain/limit-class.ts';
import { always } from '#schemas/http/always.ts';
import { exactlyOneOf, searchText } from '#schemas/http/common.ts';
import { duration } from '#schemas/http/duration.ts';
import { pageFields, ulidCursor, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

/* Users, tokens, tenants, roles and audit under /api/admin. */

const name = z.string().trim().min(1).max(255);
const role = z.enum(ROLES);
const scope = z.enum(PERMISSIONS);

/** The text of a password is never part of an error. */
export const password = z
  .string({ error: ({ input }) => (input === undefined ? 'required' : 'must be text') })
  .superRefine((text, problems) => {
    const reason = passwordProblem(text);
    if (reason !== null) problems.addIssue(reason);
  })
  .meta({ minLength: 12, maxLength: 256, format: 'password' });

export const IdPath = z.object({ id: z.string() });
const paged = pageFields({ limit: 20, max: 100 });
/** Page of records whose ids are ULIDs. */
export const PageQuery = z.strictObject({ ...paged, cursor: ulidCursor }).check(always(withinWindow));
/** Page of tenants, whose ids are names. */
export const TenantsQuery = z
  .strictObject({
    ...paged,
    cursor: z.string().regex(TENANT_ID, 'expected the nextCursor of a previous page').optional(),
  })
  .check(always(withinWindow));
/** Page of a list that is too short for cursors. */
export const ShortListQuery = z.strictObject({ page: paged.page, limit: paged.limit }).check(always(withinWindow));

const perMinute = z.int().min(1).max(100_000_000);
const byClass = <T extends z.ZodType>(value: T) =>
  Object.fromEntries(SETTABLE_CLASSES.map((name) => [name, value.optional()])) as Record<
    SettableClass,
    z.ZodOptional<T>
  >;
/** An unknown name is answered with the known ones. */
const unknownClass = ({ code, keys }: { readonly code: string; readonly keys?: readonly string[] }) =>
  code === 'unrecognized_keys'
    ? `unknown limit class ${keys?.join(', ')}; expected one of ${SETTABLE_CLASSES.join(', ')}`
    : undefined;
const NUMBERS = 'Requests per minute by class; omitted classes use the default';
export const Limits = z
  .strictObject(byClass(perMinute), { error: unknownClass })
  .meta({ id: 'Limits', description: NUMBERS });
/** Null: the default again. */
export const LimitsPatch = z
  .strictObject(byClass(perMinute.nullable()), { error: unknownClass })
  .meta({ id: 'LimitsPatch' });
const allowed = z.int().min(1).nullable().meta({ description: 'null: no limit' });
/** Numbers as they count for a credential without limits of its own. */
export const LimitsReply = z
  .object({
    effective: z.partialRecord(
      z.enum(COUNTED_CLASSES),
      z.object({ limit: allowed, per: z.literal('minute'), counted_by: z.enum(['credential', 'tenant']) }),
    ),
    users: z
      .partialRecord(z.enum(COUNTED_CLASSES), allowed)
      .meta({ description: 'Per minute for signed-in users, if higher than for tokens' }),
    v1: z
      .partialRecord(z.enum(CREDENTIAL_KINDS), z.object({ minute: allowed, hour: allowed }))
      .meta({ description: 'Limits on /v1 by credential type, unless the tenant or token sets a limit for the class' }),
    overrides: Limits,
    defaults: Limits,
    scale: z.number().meta({ description: 'Multiplier of all limits (FAULTLINE_LIMIT_SCALE); 0: no limits' }),
  })
  .meta({ id: 'EffectiveLimits' });

export const NewTenant = z
  .strictObject({
    id: z.string().regex(TENANT_ID, 'expected 1 to 63 of a-z, 0-9 and -, not starting with -'),
    name: name.optional(),
  })
  .meta({ id: 'NewTenant' });
export const TenantPatch = z
  .strictObject({ name: name.optional(), disabled: z.boolean().optional() })
  .meta({ id: 'TenantPatch' });
export const Tenant = z
  .object({
    id: z.string(),
    name: z.string(),
    disabled: z.boolean(),
    state: z.enum(TENANT_STATES).meta({ description: 'deleting: deletion in progress; deleted: name still reserved' }),
    created_at: IsoTime,
    updated_at: IsoTime,
    taken_until: IsoTime.nullable().meta({ description: 'Time when the name of a deleted tenant can be reused' }),
  })
  .meta({ id: 'Tenant' });

const username = z
  .string()
  .regex(USERNAME, 'expected 1 to 64 of letters, digits and ._@+-, starting with letter or digit');
export const mailAddress = z.email('expected an email address').max(254);
const mail = mailAddress.nullable().meta({ description: 'Email address, unique in the tenant; null: none' });
export const NewUser = z
  .strictObject({ username, name: name.optional(), mail: mail.optional(), password, role })
  .meta({ id: 'NewUser' });
export const NewInvitation = z
  .strictObject({
    mail: mailAddress,
    username: username.optional().meta({ description: 'Default: the email address, as far as a username may have it' }),
    name: name.optional(),
    role,
  })
  .meta({ id: 'NewUserInvitation' });
export const UserPatch = z
  .strictObject({
    name: name.optional(),
    role: role.optional(),
    mail: mail.optional(),
    disabled: z.boolean().optional(),
    password: password.optional(),
  })
  .meta({ id: 'UserPatch' });
export const User = z
  .object({
    id: z.string(),
    username: z.string(),
    name: z.string(),
    role,
    mail: z.string().nullable(),
    disabled: z.boolean(),
    invited_until: IsoTime.nullable().meta({ description: 'End of an invitation not accepted yet; null: none' }),
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'UserAccount' });
export const UserInvitation = z
  .object({
    user: User,
    sent: z.boolean().meta({ description: 'false: no email was sent; pass the link on yourself' }),
    link: z.string().nullable().meta({
      description:
        'Link that sets the password once; shown once, and only if no email was sent; null in replayed responses',
    }),
  })
  .meta({ id: 'UserInvitation' });

const lasting = duration({ least: 1, most: MAX_EXPIRY_MS }, NEVER);
const expiresIn = lasting.optional().meta({
  description:
    '<n> s|m|h|d|w, at most 365d, or never. Default: never for ingest-only tokens (role ingest, or only scopes events.ingest and events.webhook), otherwise 90d. Other tokens must expire',
});
const overlap = duration({ least: 0, most: MAX_OVERLAP_MS }).default(DEFAULT_OVERLAP).meta({
  description: 'Validity of the previous value, <n> s|m|h|d|w, 0h to 7d',
});
const description = z.string().max(1_024);

/** Note for readers of the document: only a token that sends events may have no end. */
const onlyFeedsLast = {
  if: { required: ['expires_in'], properties: { expires_in: { pattern: NEVER } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    anyOf: [
      { required: ['role'], properties: { role: { const: 'ingest' } } },
      { required: ['scopes'], properties: { scopes: { type: 'array', items: { enum: FEED } } } },
    ],
  },
} as const;

export const NewToken = z
  .strictObject({
    name,
    description: description.default(''),
    kind: z
      .enum(['api_key', 'service_account', 'integration'])
      .default('api_key')
      .meta({ description: 'integration: 32 hex digits, as PagerDuty and Opsgenie keys' }),
    role: role.optional(),
    scopes: z.array(scope).min(1).max(PERMISSIONS.length).optional(),
    expires_in: expiresIn,
    limits: Limits.default({}),
  })
  .check(
    always(({ value, issues }) => {
      if ((value.role === undefined) === (value.scopes === undefined))
        issues.push({ code: 'custom', input: value, path: ['role'], message: 'expected either role or scopes' });
    }),
  )
  .meta({
    id: 'NewApiToken',
    example: { name: 'prometheus', scopes: ['events.webhook'] },
    allOf: [...exactlyOneOf('role', 'scopes').allOf, onlyFeedsLast],
  });
export const TokenPatch = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    limits: LimitsPatch.optional(),
    expires_in: lasting.optional().meta({
      description: 'Lifetime from now: <n> s|m|h|d|w, at most 365d; never is allowed for ingest-only tokens',
    }),
  })
  .meta({ id: 'ApiTokenPatch' });
export const Rotation = z
  .strictObject({
    overlap,
    expires_in: lasting
      .optional()
      .meta({ description: 'Expiry of the new value; default: same lifetime as the previous value' }),
  })
  .meta({ id: 'TokenRotation' });

/** Tokens are searched in name and description. */
export const TokensQuery = z
  .strictObject({
    ...paged,
    cursor: ulidCursor,
    search: searchText().optional().meta({ description: 'Part of the name or description; not case-sensitive' }),
  })
  .check(always(withinWindow));
/** End of a token, as shown with tokens of any kind. */
export const tokenEnds = {
  expires_at: IsoTime.nullable().meta({ description: 'null: never' }),
  last_used_at: IsoTime.nullable(),
  rotated_at: IsoTime.nullable().meta({ description: 'Time of the last rotation' }),
  previous_valid_until: IsoTime.nullable().meta({ description: 'End of validity of the previous value' }),
};
const tokenFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['api_key', 'service_account', 'integration', 'discovery']),
  role: role.nullable(),
  scopes: z.array(scope),
  limits: Limits,
  created_at: IsoTime,
  created_by: z.object({ _id: z.string(), username: z.string(), name: z.string() }),
  ...tokenEnds,
};
export const Token = z.object(tokenFields).meta({ id: 'ApiToken' });
export const IssuedToken = z
  .object({
    ...tokenFields,
    token: z.string().nullable().meta({ description: 'Shown once; null in replayed responses' }),
    note: z.string().meta({ description: 'Expiry warning with recommended action' }),
  })
  .meta({ id: 'IssuedApiToken' });

export const RoleView = z.object({ name: role, permissions: z.array(scope) }).meta({ id: 'RoleDefinition' });

export const AuditQuery = z.strictObject({
  limit: pageFields({ limit: 50, max: 200 }).limit,
  cursor: ulidCursor,
  actor: z.string().min(1).max(64).optional().meta({ description: 'User ID or username' }),
  target: z.string().min(1).max(255).optional().meta({ description: 'Kind, id, or kind/id' }),
  action: z.string().min(1).max(64).optional(),
  from: Time.optional(),
  to: Time.optional(),
});
export const AuditView = z
  .object({
    id: z.string(),
    at: IsoTime,
    actor: z.object({ id: z.string(), username: z.string(), name: z.string() }),
    action: z.string(),
    target: z.object({ kind: z.string(), id: z.string() }),
    before: z.unknown(),
    after: z.unknown(),
    address: z.string(),
    department: z.string().nullable(),
    via: z.literal('mcp').optional().meta({ description: 'mcp: changed by an MCP tool' }),
  })
  .meta({ id: 'AuditRecord' });

export const RejectedQuery = z
  .strictObject({ ...pageFields({ limit: 20, max: 100 }), cursor: ulidCursor })
  .check(always(withinWindow));
export const RejectedView = z
  .object({
    id: z.string(),
    at: IsoTime,
    source: z.string(),
    error: z.string(),
    index: z.int().nullable().meta({ description: 'Index of the item; null for the whole body' }),
    payload: z.string().meta({ description: 'Truncated body as JSON; for oversized bodies, the beginning' }),
    kind: z.enum(['unreadable', 'too_large']),
  })
  .meta({ id: 'RejectedPayload' });
