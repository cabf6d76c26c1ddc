import { z } from 'zod';
import { COUNTRIES } from '#schemas/http/countries.ts';

/* What a tenant can set about AI functions. */

const share = z.number().min(0).max(1);
const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(zone);
  } catch {
    return false;
  }
};
const fields = {
  analyse: z.boolean().meta({ description: 'New events are analysed' }),
  dailyTokens: z.int().min(0).max(1_000_000_000).meta({ description: 'Tokens per day (UTC), input and output' }),
  monthlyCost: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: 'Per calendar month (UTC), in the currency of the prices; null: no limit' }),
  analysisShare: share.meta({ description: 'Share of both budgets that automatic analyses may use' }),
  abstainBelow: share.meta({ description: 'Confidence below which no cause is named' }),
  maxError: share.nullable().meta({
    description:
      'Share of wrong causes that may be named: the confidence that keeps it, by 30 judged causes or more, takes the place of abstainBelow; null: none',
  }),
  pseudonymise: z.boolean().meta({ description: 'The model sees pseudonyms for host names and addresses' }),
  country: z
    .string()
    .refine((code) => COUNTRIES.has(code), 'expected an ISO 3166-1 alpha-2 code (DE)')
    .nullable()
    .meta({
      description: 'For public holidays; null: none are known',
      example: 'DE',
      pattern: `^(?:${[...COUNTRIES].join('|')})$`,
    }),
  zone: z
    .string()
    .max(64)
    .refine(isZone, 'expected the IANA name of a time zone (Europe/Berlin)')
    .meta({ description: 'Time zone of business hours', example: 'Europe/Berlin', pattern: '^[A-Za-z][\\w+/-]*$' }),
};
const AiSettingsView = z.object(fields).meta({ id: 'AiSettings' });

export const AiSettingsPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, z.nullable(field as z.ZodType).optional()]),
    ),
  )
  .meta({ id: 'AiSettingsPatch', description: 'Absent fields stay; null gives back the default' });

export const AiSettingsReply = z
  .object({
    effective: AiSettingsView,
    overrides: AiSettingsView.partial().meta({ description: 'What the tenant has changed' }),
    defaults: AiSettingsView,
    model: z.string().nullable().meta({ description: 'The language model that words answers; null: the rules answer' }),
  })
  .meta({ id: 'AiSettingsReply' });
