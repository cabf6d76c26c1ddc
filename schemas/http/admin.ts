import { z } from 'zod';
import { DEFAULT_EXPIRES_IN } from '#domain/access/expiry.ts';
import { passwordProblem } from '#domain/access/password.ts';
import { PERMISSIONS, ROLES } from '#domain/access/permissions.ts';
import { TENANT_ID, USERNAME } from '#domain/access/tenant.ts';
import { TENANT_STATES } from '#domain/access/tenant-state.ts';
import { pageFields, ulidCursor, withinWindow } from './paging.ts';
import { IsoTime, Time } from './time.ts';

/* Users, tokens, tenants, roles and audit under /api/admin. */

const name = z.string().trim().min(1).max(255);
const role = z.enum(ROLES);
const scope = z.enum(PERMISSIONS);

/** The text of a password never stands in an error. */
const password = z
  .string('must be text')
  .superRefine((text, problems) => {
    const reason = passwordProblem(text);
    if (reason !== null) problems.addIssue(reason);
  })
  .meta({ minLength: 12, maxLength: 256, format: 'password' });

export const IdPath = z.object({ id: z.string() });
const paged = pageFields({ limit: 20, max: 100 });
/** Of records whose ids are ULIDs. */
export const PageQuery = z.strictObject({ ...paged, cursor: ulidCursor }).check(withinWindow);
/** Of tenants, whose ids are names. */
export const TenantsQuery = z
  .strictObject({
    ...paged,
    cursor: z.string().regex(TENANT_ID, 'expected the nextCursor of an earlier page').optional(),
  })
  .check(withinWindow);
/** Of a list that is too short for cursors. */
export const ShortListQuery = z.strictObject({ page: paged.page, limit: paged.limit }).check(withinWindow);

/** Classes whose limits can be set; requests per minute. */
export const LIMIT_CLASSES = ['ingest', 'bulk', 'webhook', 'query', 'standard', 'ai', 'ai-platform'] as const;
const perMinute = z.int().min(1).max(100_000_000);
export const Limits = z.partialRecord(z.enum(LIMIT_CLASSES), perMinute).meta({
  id: 'Limits',
  description: 'Requests per minute by class; what is absent keeps its default',
});
/** Null: the default again. */
export const LimitsPatch = z.partialRecord(z.enum(LIMIT_CLASSES), perMinute.nullable()).meta({ id: 'LimitsPatch' });

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
    state: z.enum(TENANT_STATES).meta({ description: 'deleting: its data is going; deleted: only its name is left' }),
    created_at: IsoTime,
    updated_at: IsoTime,
    taken_until: IsoTime.nullable().meta({ description: 'When the name of a deleted tenant is free again' }),
  })
  .meta({ id: 'Tenant' });

export const NewUser = z
  .strictObject({
    username: z
      .string()
      .regex(USERNAME, 'expected 1 to 64 of letters, digits and ._@+-, starting with letter or digit'),
    name: name.optional(),
    password,
    role,
  })
  .meta({ id: 'NewUser' });
export const UserPatch = z
  .strictObject({
    name: name.optional(),
    role: role.optional(),
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
    disabled: z.boolean(),
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'UserAccount' });

export const NewToken = z
  .strictObject({
    name,
    description: z.string().max(1_024).default(''),
    kind: z.enum(['api_key', 'service_account']).default('api_key'),
    role: role.optional(),
    scopes: z.array(scope).min(1).max(PERMISSIONS.length).optional(),
    expires_in: z.string().max(32).default(DEFAULT_EXPIRES_IN).meta({ description: '<n> s|m|h|d|w, at most 365d' }),
    limits: Limits.default({}),
  })
  .check(({ value, issues }) => {
    if ((value.role === undefined) === (value.scopes === undefined))
      issues.push({ code: 'custom', input: value, path: ['role'], message: 'expected either role or scopes' });
  })
  .meta({ id: 'NewApiToken' });
const tokenFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['api_key', 'service_account', 'discovery']),
  role: role.nullable(),
  scopes: z.array(scope),
  limits: Limits,
  created_at: IsoTime,
  created_by: z.object({ _id: z.string(), username: z.string(), name: z.string() }),
  expires_at: IsoTime.nullable(),
  last_used_at: IsoTime.nullable(),
};
export const Token = z.object(tokenFields).meta({ id: 'ApiToken' });
export const IssuedToken = z
  .object({
    ...tokenFields,
    token: z.string().nullable().meta({ description: 'Shown this once; null when the reply is replayed' }),
    note: z.string().optional(),
  })
  .meta({ id: 'IssuedApiToken' });

export const RoleView = z.object({ name: role, permissions: z.array(scope) }).meta({ id: 'RoleDefinition' });

export const AuditQuery = z.strictObject({
  limit: pageFields({ limit: 50, max: 200 }).limit,
  cursor: ulidCursor,
  actor: z.string().min(1).max(64).optional().meta({ description: 'Id or user name' }),
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
  })
  .meta({ id: 'AuditRecord' });

export const RejectedQuery = z
  .strictObject({ ...pageFields({ limit: 20, max: 100 }), cursor: ulidCursor })
  .check(withinWindow);
export const RejectedView = z
  .object({
    id: z.string(),
    at: IsoTime,
    source: z.string(),
    error: z.string(),
    index: z.int().nullable().meta({ description: 'Which item of the body; null when it is the body itself' }),
    payload: z.string().meta({ description: 'The body as JSON, cut' }),
  })
  .meta({ id: 'RejectedPayload' });
