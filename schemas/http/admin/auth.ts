import { z } from 'zod';
import { PERMISSIONS, ROLES } from '#domain/access/permissions.ts';
import { CREDENTIAL_KINDS } from '#domain/limit-class.ts';
import { IsoTime } from '#schemas/http/time.ts';
import { Limits, mailAddress, password } from './admin.ts';

/** Worded so that no error repeats the value. */
const secret = (max: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'required' : 'must be text') })
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`);

export const LoginRequest = z
  .strictObject({
    username: z.string().min(1).max(64),
    password: secret(1_024),
    tenant: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'Default: X-Tenant-ID, otherwise the first tenant' }),
  })
  .meta({ id: 'LoginRequest' });

export const RefreshRequest = z.strictObject({ refreshToken: secret(256) }).meta({ id: 'RefreshRequest' });

export const Login = z
  .object({
    token: z.string().meta({ description: 'JWT for the Authorization header' }),
    refreshToken: z.string().meta({ description: 'Single use, valid for 30 days' }),
    expiresIn: z.int().meta({ description: 'Seconds until the token expires' }),
    user: z.object({
      _id: z.string(),
      username: z.string(),
      name: z.string(),
      role: z.enum(ROLES),
      tenant: z.string(),
    }),
  })
  .meta({ id: 'Login' });

const remember = z
  .boolean()
  .default(false)
  .meta({ description: 'true: stay signed in for 30 days; otherwise until the browser closes' });
/** Login of the console: the refresh token is stored in a cookie. */
export const ConsoleLoginRequest = z
  .union([
    z.strictObject({
      username: z.string().min(1).max(64),
      password: secret(1_024),
      tenant: z.string().min(1).max(63).optional().meta({ description: 'Default: the first tenant' }),
      remember,
    }),
    z.strictObject({ code: secret(256).meta({ description: 'Code from the first-start link' }) }),
  ])
  .meta({ id: 'ConsoleLoginRequest' });
export type ConsoleLoginInput = z.output<typeof ConsoleLoginRequest>;

export const ConsoleLogin = Login.omit({ refreshToken: true }).meta({ id: 'ConsoleLogin' });

/** Uses the field names of the console. */
export const OwnPasswordChange = z
  .strictObject({ current: secret(1_024), new: password })
  .meta({ id: 'OwnPasswordChange' });

export const PasswordChange = z
  .strictObject({ currentPassword: secret(1_024), newPassword: password })
  .meta({ id: 'PasswordChange' });

const code = secret(256).meta({ description: 'The part of the link after #link=' });
export const PasswordResetRequest = z
  .strictObject({
    account: z.string().trim().min(1).max(254).meta({ description: 'Username or email address' }),
    tenant: z.string().min(1).max(63).optional().meta({ description: 'Default: the first tenant' }),
  })
  .meta({ id: 'PasswordResetRequest' });
export const PasswordByLink = z.strictObject({ code, password }).meta({ id: 'PasswordByLink' });
export const PasswordSet = z.object({ username: z.string(), tenant: z.string() }).meta({ id: 'PasswordSet' });

export const OwnMail = z
  .strictObject({ mail: mailAddress.nullable().meta({ description: 'null: none' }), current: secret(1_024) })
  .meta({ id: 'OwnMail' });
export const OwnMailView = z.object({ mail: z.string().nullable() }).meta({ id: 'OwnMailView' });

export const Me = z
  .object({
    _id: z.string().meta({ description: 'User or token ID' }),
    username: z.string(),
    name: z.string(),
    credential: z.enum(CREDENTIAL_KINDS).meta({ description: 'jwt: a user who logged in' }),
    role: z.enum(ROLES).nullable(),
    permissions: z.array(z.enum(PERMISSIONS)),
    tenant: z.string(),
    acts_on: z
      .string()
      .meta({ description: 'Effective tenant; differs from your own if a platform administrator sends X-Tenant-ID' }),
    limits: Limits,
    expires_at: IsoTime.nullable().meta({ description: 'Expiry of the credential; null: never' }),
  })
  .meta({ id: 'Me' });
