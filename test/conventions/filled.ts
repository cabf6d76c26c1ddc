import { z } from 'zod';

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly valueType?: z.core.$ZodType;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}
const DEEPEST = 8;

/** Returns a value for a schema with `text` wherever one is accepted, so that its refinements check it. */
export function filled(schema: z.core.$ZodType, text: string, depth = 0): unknown {
  const def = schema._zod.def as unknown as Def;
  const inner = (other: z.core.$ZodType | undefined) =>
    other && depth < DEEPEST ? filled(other, text, depth + 1) : text;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, part]) => [name, inner(part)]));
    case 'array':
      return [inner(def.element)];
    case 'record':
      return { [text]: inner(def.valueType) };
    case 'union':
      return inner(def.options?.at(-1));
    case 'pipe':
      return inner(def.in);
    case 'number':
    case 'int':
      return 1;
    case 'boolean':
      return true;
    case 'enum':
      return Object.values(def.entries ?? {})[0];
    case 'literal':
      return def.values?.[0];
    default:
      return inner(def.innerType);
  }
}

export const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;
