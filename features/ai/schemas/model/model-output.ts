import { z } from 'zod';
import { firstObject } from '#features/ai/rules/json-object.ts';

/** The output of a model: checked by zod, described to it as JSON schema. */
export interface ModelOutput<T> {
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Returns the value, or the error in a few words. */
  read(text: string): { readonly value: T } | { readonly problem: string };
}

const MAX_PROBLEMS = 3;

const jsonOf = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema, ...json } = z.toJSONSchema(schema);
  return json;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The object of an answer, also of one that has words or a fence around it. */
const objectIn = (text: string): unknown => parsed(text) ?? parsed(firstObject(text) ?? '');

/** `told`: the schema for the model, if `schema` accepts more. */
export const modelOutput = <T>(name: string, schema: z.ZodType<T>, told: z.ZodType = schema): ModelOutput<T> => ({
  name,
  json: jsonOf(told),
  read(text) {
    const object = objectIn(text);
    if (object === undefined) return { problem: 'not a JSON object' };
    const checked = schema.safeParse(object);
    if (checked.success) return { value: checked.data };
    const issues = checked.error.issues.slice(0, MAX_PROBLEMS);
    return { problem: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
  },
});
