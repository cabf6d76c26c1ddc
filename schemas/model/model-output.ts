import { z } from 'zod';
import { firstObject } from '#domain/ai/json-object.ts';

/** What a model writes: checked by zod, told to it as JSON schema. */
export interface ModelOutput<T> {
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** The value, or what is wrong in a few words. */
  read(text: string): { readonly value: T } | { readonly problem: string };
}

/** Providers refuse these in strict schemas, or make large grammars of them; zod checks them. */
const UNSENT: ReadonlySet<string> = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default']);
const MAX_PROBLEMS = 3;

const sent = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(sent);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !UNSENT.has(key))
      .map(([key, value]) => [key, sent(value)]),
  );
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

export const modelOutput = <T>(name: string, schema: z.ZodType<T>): ModelOutput<T> => ({
  name,
  json: sent(z.toJSONSchema(schema)) as Record<string, unknown>,
  read(text) {
    const object = objectIn(text);
    if (object === undefined) return { problem: 'it is no JSON object' };
    const checked = schema.safeParse(object);
    if (checked.success) return { value: checked.data };
    const issues = checked.error.issues.slice(0, MAX_PROBLEMS);
    return { problem: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
  },
});
