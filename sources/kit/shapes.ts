/** Pieces of the shapes that monitors send: a field of another type than expected is absent, never an error. */
import { z } from 'zod';
import { isRecord } from '#domain/record-of.ts';
import { labelsOf, NO_LABELS } from './labels.ts';
import { expandedOf, MAX_NAME, textOf } from './text.ts';
import { timeOf } from './time.ts';

const maybe = z.unknown().optional();

export const text = maybe.transform((value) => textOf(value));
/** Text of a source that expands macros. */
export const macro = maybe.transform((value) => expandedOf(value));
/** A title; of a source that expands macros, too. */
export const headline = maybe.transform((value) => expandedOf(value, MAX_NAME));
export const time = maybe.transform(timeOf);
export const labels = maybe.transform(labelsOf);
/** Labels where free text may occur instead. */
export const labelMap = maybe.transform((value) => (isRecord(value) ? labelsOf(value) : NO_LABELS));
export const list = maybe.transform((value) => (Array.isArray(value) ? (value as readonly unknown[]) : []));
export const anything = maybe;

/** An object inside a body; anything else reads like an empty one. */
export const inner = <S extends z.ZodRawShape>(shape: S) =>
  z.preprocess((value) => (isRecord(value) ? value : {}), z.object(shape));

type Words<Text extends string, Found extends string = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text;

/** The shape of fields that are all of one kind, named in one text with single blanks between. */
export const fields = <Kind extends z.ZodType, Names extends string>(kind: Kind, names: Names) =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind])) as Record<Words<Names>, Kind>;

/** Texts of a list; one text counts as a list of one. */
export const texts = maybe.transform((value) =>
  (Array.isArray(value) ? value.slice(0, 200) : [value]).map((one) => textOf(one)).filter((one) => one !== undefined),
);

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && expandedOf(value) === undefined);

/**
 * The fields of a body under one spelling: HOSTNAME, host_name, hostName and {HOST.NAME} are one. The first spelling that is neither
 * empty nor unexpanded counts. Keys that start with `__` are the sender's own.
 */
export function plainKeys(body: Readonly<Record<string, unknown>>, prefix?: RegExp): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(body).slice(0, 2000)) {
    if (key.startsWith('__')) continue;
    const short = key.slice(0, 100);
    const plain = (prefix ? short.replace(prefix, '') : short).replace(/[_\-.$\s{}]/g, '').toLowerCase();
    if (isMissing(fields[plain])) fields[plain] = body[key];
  }
  return fields;
}
