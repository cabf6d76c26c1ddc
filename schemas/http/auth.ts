import { z } from 'zod';
import { ROLES } from '#domain/access/permissions.ts';

export const LoginRequest = z
  .strictObject({
    username: z.string().min(1).max(64),
    password: z.string().min(1).max(1_024),
    tenant: z.string().min(1).max(63).optional().meta({ description: 'Default: X-Tenant-ID, else the first tenant' }),
  })
  .meta({ id: 'LoginRequest' });

export const RefreshRequest = z
  .strictObject({ refreshToken: z.string().min(1).max(256) })
  .meta({ id: 'RefreshRequest' });

export const Login = z
  .object({
    token: z.string().meta({ description: 'JWT for the Authorization header' }),
    refreshToken: z.string().meta({ description: 'Good for one use within 30 days' }),
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
