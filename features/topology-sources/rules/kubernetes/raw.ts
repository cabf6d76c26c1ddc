/** Reads fields of JSON whose shape is not certain. */
import { isRecord } from '#domain/record-of.ts';

export const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

/** Returns an empty text for anything else. */
export const textOf = (value: unknown, ...path: readonly string[]): string => {
  const found = fieldOf(value, ...path);
  return typeof found === 'string' ? found : '';
};

export const listOf = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = fieldOf(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** Returns epoch ms; 0 for anything that is no time. */
export const timeOf = (value: unknown, ...path: readonly string[]): number => Date.parse(textOf(value, ...path)) || 0;
