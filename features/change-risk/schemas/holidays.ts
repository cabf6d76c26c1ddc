import { z } from 'zod';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { countryOf } from '#schemas/http/countries.ts';
import { succeeded } from '#schemas/http/envelope.ts';

/** Public holidays of a country (docs/ai.md). */

const COUNTRY = 'expected a code of ISO 3166-1 (DE, DEU, 276) or the English name of a country';
const Country = z
  .string()
  .max(100)
  .transform((said, ctx) => {
    const code = countryOf(said);
    if (code !== null) return { said: said.trim(), code };
    ctx.addIssue({ code: 'custom', message: COUNTRY });
    return z.NEVER;
  })
  .meta({ description: 'A code of ISO 3166-1 or the English name', example: 'DE' });

export const GenerateHolidays = z
  .strictObject({
    country: Country,
    year: z.int().min(1970).max(2100).meta({ example: 2026 }),
    includeRegional: z.boolean().default(false).meta({ description: 'Also those of states and regions' }),
  })
  .meta({ id: 'GenerateHolidays' });

const Holiday = z
  .object({
    date: z.string().meta({ format: 'date', description: 'A holiday of several days has a row for each' }),
    name: z.string().meta({ description: 'In English where it is known' }),
    type: z.enum(['fixed', 'floating']).meta({ description: 'fixed: its rule begins with a month and day' }),
    isPublicHoliday: z.boolean(),
    kind: z.enum(['public', 'bank', 'school', 'optional', 'observance']),
    substitute: z.boolean().meta({ description: 'It stands for one that falls on a day without work' }),
    approximate: z.boolean().meta({ description: 'Of a calendar that follows the moon: it may be a day off' }),
    regions: z.array(z.string()).meta({ description: 'Codes (DE-BY) of where it is one; empty: in the whole country' }),
  })
  .meta({ id: 'Holiday' });

export const HolidaysBody = succeeded({
  country: z.string().meta({ description: 'As it was asked' }),
  countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2' }),
  year: z.int(),
  holidays: z.array(Holiday),
  ...groundsFields,
});
