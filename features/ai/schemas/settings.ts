import { z } from 'zod';
import { isZone } from '#domain/texts/time-zone.ts';
import { COUNTRIES } from '#schemas/http/countries.ts';

/* Settings of a tenant for AI functions. */

const share = z.number().min(0).max(1);
const fields = {
  analyse: z.boolean().meta({ description: 'Analyze new events' }),
  dailyTokens: z.int().min(0).max(1_000_000_000).meta({ description: 'Tokens per day (UTC), input and output' }),
  monthlyCost: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: 'Per calendar month (UTC), in the currency of the prices; null: no limit' }),
  analysisShare: share.meta({ description: 'Share of both budgets available to automatic analyses' }),
  abstainBelow: share.meta({ description: 'Confidence below which no root cause is given' }),
  maxError: share.nullable().meta({
    description:
      'Maximum share of incorrect root causes. With 30 or more verdicts, the confidence that meets it replaces abstainBelow; null: off',
  }),
  pseudonymise: z.boolean().meta({ description: 'The model sees pseudonyms instead of hostnames and addresses' }),
  country: z
    .string()
    .refine((code) => COUNTRIES.has(code), 'expected an ISO 3166-1 alpha-2 code (DE)')
    .nullable()
    .meta({
      description: 'Country for public holidays; null: none',
      example: 'DE',
      pattern: `^(?:${[...COUNTRIES].join('|')})$`,
    }),
  zone: z
    .string()
    .max(64)
    .refine((zone) => isZone(zone) && !/^[+-]/.test(zone), 'expected an IANA time zone, for example Europe/Berlin')
    .meta({ description: 'Time zone of business hours', example: 'Europe/Berlin', pattern: '^[A-Za-z][\\w+/-]*$' }),
  runbooks: z
    .array(
      z.strictObject({
        url: z.string().trim().min(1).max(500).meta({ description: 'Address or short instruction' }),
        text: z.string().trim().min(1).max(255).optional().meta({ description: 'Shown after the address' }),
        service: z.string().trim().min(1).max(255).optional().meta({ description: 'Service name on events' }),
        ciType: z.string().trim().min(1).max(64).optional(),
        complaint: z.string().trim().min(1).max(64).optional().meta({
          description: 'Kind of problem, such as certificate_expired or space_short (docs/ai.md)',
        }),
        title: z.string().trim().min(1).max(255).optional().meta({ description: 'Words in the title' }),
      }),
    )
    .max(200)
    .meta({
      description:
        'Runbooks by CI type, service, kind of problem or title; the first match is used. custom_fields.runbook of a CI comes first',
    }),
};
const AiSettingsView = z.object(fields).meta({ id: 'AiSettings' });

export const AiSettingsPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, z.nullable(field as z.ZodType).optional()]),
    ),
  )
  .meta({ id: 'AiSettingsPatch', description: 'Omitted fields are unchanged; null resets to default' });

export const AiSettingsReply = z
  .object({
    effective: AiSettingsView,
    overrides: AiSettingsView.partial().meta({ description: 'Settings changed by the tenant' }),
    defaults: AiSettingsView,
    model: z
      .string()
      .nullable()
      .meta({ description: 'Language model that writes the answers; null: rule-based answers' }),
  })
  .meta({ id: 'AiSettingsReply' });
