import { z } from 'zod';
import { ROLES } from '#domain/access/permissions.ts';
import { TENANT_ID } from '#domain/access/tenant.ts';
import { Login } from '#schemas/http/admin/auth.ts';

const MAX_RULES = 200;
const MAX_TEAMS = 20;
/** A full query of an issuer. */
const MAX_PARAMETER = 8_192;
const MAX_NAME = 64;

const rules = z
  .array(
    z.strictObject({
      claim: z.string().min(1).max(255).meta({ description: 'Name of a claim, for example groups' }),
      value: z
        .string()
        .min(1)
        .max(255)
        .meta({ description: 'Value, or one in the list; * and ? match any characters' }),
      role: z.enum(ROLES),
      tenant: z.string().regex(TENANT_ID).optional().meta({ description: 'Default: the first tenant' }),
      teams: z.array(z.string().min(1).max(255)).max(MAX_TEAMS).optional().meta({ description: 'Names of teams' }),
    }),
  )
  .max(MAX_RULES)
  .meta({ description: 'The first rule that matches decides' });
const otherwise = z.enum(['none', 'viewer']).meta({ description: 'Role without a matching rule' });

export const SignInSettings = z.object({ rules, default: otherwise }).meta({ id: 'SignInSettings' });
export const SignInSettingsPatch = z
  .strictObject({ rules: rules.nullable().optional(), default: otherwise.nullable().optional() })
  .meta({ id: 'SignInSettingsPatch' });

export const SignInWays = z
  .object({ oidc: z.boolean().meta({ description: 'The console offers single sign-on' }) })
  .meta({ id: 'SignInWays' });

export const StartQuery = z.object({
  return_to: z.string().max(2_048).optional().meta({ description: 'Page of the console, below /ui/' }),
});
const parameter = z.string().max(MAX_PARAMETER).optional();
/** Issuers add parameters of their own, such as session_state. */
export const CallbackQuery = z
  .looseObject({ code: parameter, state: parameter, iss: parameter, error: parameter, error_description: parameter })
  .refine((query) => Object.keys(query).every((name) => name.length <= MAX_NAME), {
    error: `names must have at most ${MAX_NAME} characters`,
  });

export const DeviceSignIn = z
  .object({
    device: z.string().meta({ description: 'For the next request; keep it secret' }),
    userCode: z.string().meta({ description: 'Code that the user enters' }),
    verificationUri: z.string().meta({ description: 'Address that the user opens' }),
    completeUri: z.string().nullable().meta({ description: 'Address with the code in it' }),
    expiresIn: z.int().meta({ description: 'Seconds' }),
    interval: z.int().meta({ description: 'Seconds between two requests' }),
  })
  .meta({ id: 'DeviceSignIn' });

export const DeviceTokenRequest = z
  .strictObject({ device: z.string().min(1).max(MAX_PARAMETER) })
  .meta({ id: 'DeviceTokenRequest' });

export const DeviceOutcome = z
  .union([Login, z.object({ pending: z.enum(['pending', 'slow-down']) }).meta({ id: 'DevicePending' })])
  .meta({ id: 'DeviceOutcome' });
