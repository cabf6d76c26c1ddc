import { z } from 'zod';

/** A whole number in a query or path. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    // No `regex`: its pattern would stand beside the type in the OpenAPI document, where it fits no number.
    .transform((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** `true` or `false` in a query. */
export const flag = () =>
  z
    .string()
    // No `enum`: its texts would stand beside the type in the OpenAPI document, where they are no booleans.
    .refine((word) => word === 'true' || word === 'false', 'expected one of true, false')
    .transform((word) => word === 'true')
    .meta({ type: 'boolean' });

/** A second name of a field, taken and sent, which the OpenAPI document leaves out: there a field has one name. */
export const alias = <S extends z.ZodType>(schema: S) => schema.meta({ isAlias: true });
export const isAlias = (schema: z.ZodType): boolean => schema.meta()?.isAlias === true;

/** One or more of `values`, separated by commas, in a query. */
export const commaList = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(values)).min(1))
    .meta({ type: 'string', description: `Comma-separated list of ${values.join(', ')}` });

/** Free words, separated by commas, in a query. */
export const commaWords = () =>
  z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.string().min(1)).min(1))
    .meta({ type: 'string', description: 'Comma-separated list' });

/** What a list is searched for. No stored text has a NUL, and an index may take it for the end of what is searched. */
export const searchText = () =>
  z
    .string()
    .min(1)
    .max(255)
    .refine((text) => !text.includes('\0'), 'expected no NUL');

export const sortOrder = z.enum(['asc', 'desc']);

/** What a delete and the like answer: bare on /v1, wrapped on /api. */
export const Message = z.object({ message: z.string() }).meta({ id: 'Message' });
