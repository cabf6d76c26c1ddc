import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { countryOf } from '#schemas/http/countries.ts';
import { succeeded } from '#schemas/http/envelope.ts';

/** Public holidays of a country (docs/ai.md). */

const COUNTRY = 'expected an ISO 3166-1 code (DE, DEU, 276) or the English name of a country';
const Country = z
  .string()
  .max(100)
  .transform((said, ctx) => {
    const code = countryOf(said);
    if (code !== null) return { said: said.trim(), code };
    ctx.addIssue({ code: 'custom', message: COUNTRY });
    return z.NEVER;
  })
  .meta({ description: 'ISO 3166-1 code or English name', example: 'DE' });

export const GenerateHolidays = z
  .strictObject({
    country: Country,
    year: z.int().min(1970).max(2100).meta({ example: 2026 }),
    includeRegional: z.boolean().default(false).meta({ description: 'Include state and regional holidays' }),
  })
  .meta({ id: 'GenerateHolidays' });

const Holiday = z
  .object({
    date: z.string().meta({ format: 'date', description: 'Multi-day holidays have one row per day' }),
    name: z.string().meta({ description: 'English name, if known' }),
    type: z.enum(['fixed', 'floating']).meta({ description: 'fixed: based on a fixed month and day' }),
    isPublicHoliday: z.boolean(),
    kind: z.enum(['public', 'bank', 'school', 'optional', 'observance']),
    substitute: z.boolean().meta({ description: 'Observed in place of a holiday on a non-working day' }),
    approximate: z.boolean().meta({ description: 'From a lunar calendar; may differ by one day' }),
    regions: z.array(z.string()).meta({ description: 'Region codes (DE-BY); empty: nationwide' }),
  })
  .meta({ id: 'Holiday' });

export const HolidaysBody = succeeded({
  country: z.string().meta({ description: 'Request as received' }),
  countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2' }),
  year: z.int(),
  holidays: z.array(Holiday),
  ...evidenceFields,
});
