import type { z } from 'zod';
import type { Problem } from '#domain/fault.ts';

/** Maximum of reported problems. */
export const MAX_PROBLEMS = 50;
const SHOWN_CHARACTERS = 80;

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `events[3].severity`, as the caller would write it; the whole body is `body`. */
const fieldOf = (path: Path): string =>
  path.reduce<string>(
    (field, key) =>
      typeof key === 'number' ? `${field}[${key}]` : field === '' ? String(key) : `${field}.${String(key)}`,
    '',
  ) || 'body';

/** The value at a path; only own members are followed. */
const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );

/**
 * Returns the location in the caller's input: a list in a query is one text, and its words have no field of their own.
 */
const writtenAt = (input: unknown, path: Path): { readonly path: Path; readonly value: unknown } => {
  const owner = path.slice(0, -1);
  const [key, text] = [path.at(-1), valueAt(input, owner)];
  return typeof key === 'number' && typeof text === 'string'
    ? { path: owner, value: text.split(',')[key]?.trim() }
    : { path, value: valueAt(input, path) };
};

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  map: ['entry', 'entries'],
  set: ['item', 'items'],
};
const counted = (number: number | bigint, origin: string): string => {
  const [one, many] = UNITS[origin] ?? [];
  return one === undefined ? String(number) : `${number} ${Number(number) === 1 ? one : many}`;
};

/** An optional property counts `undefined` among its values. */
const oneOf = (all: readonly unknown[]): string => {
  const values = all.filter((value) => value !== undefined);
  return `${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;
};

/** The expectation, in the words that follow "expected". */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'record' ? 'object' : String(issue.expected);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${counted(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${counted(issue.minimum, issue.origin)}`;
    case 'invalid_format':
      return `a valid ${issue.format === 'datetime' ? 'ISO 8601 time with offset' : issue.format}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return unionExpectation(issue);
    default:
      return issue.message;
  }
}

function unionExpectation(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if ('options' in issue && Array.isArray(issue.options)) return oneOf(issue.options);
  const branches = issue.errors.map((errors) => errors.map((inner) => expectation(inner)).join(' and '));
  return [...new Set(branches)].join(' or ') || 'a different structure';
}

const gotten = (issue: Issue, value: unknown): string =>
  (issue.code === 'too_big' || issue.code === 'too_small') && (typeof value === 'string' || Array.isArray(value))
    ? String(value.length)
    : shown(value);

/** Messages of a schema's author stay; zod's own are replaced by ours. */
const isOwnMessage = (issue: Issue): boolean =>
  issue.code === 'custom' || !/^(Invalid|Too|Unrecognized)/.test(issue.message);

/** Blanks are trimmed before texts are measured, so their number would contradict the expectation. */
const isBlank = (issue: Issue, value: unknown): boolean =>
  issue.code === 'too_small' && typeof value === 'string' && value !== '' && value.trim() === '';

function reasonOf(issue: Issue, value: unknown): string {
  if (isBlank(issue, value)) return 'must not be blank';
  const told = isOwnMessage(issue) ? issue.message : `expected ${expectation(issue)}`;
  if (!told.startsWith('expected')) return told;
  return value === undefined ? `required; ${told}` : `${told}; got ${gotten(issue, value)}`;
}

/**
 * Returns every issue of a failed parse as a problem (at most 50), with the field as the caller wrote it and the
 * expected value. `input` is the parsed value; `base` is the prefix of every path.
 */
export function problemsOf(error: z.core.$ZodError, input: unknown, base: Path = []): Problem[] {
  const problems: Problem[] = [];
  const told = new Set<string>();
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        problems.push({
          field: fieldOf([...base, ...issue.path, key]),
          reason: isOwnMessage(issue) ? issue.message : 'unknown field',
        });
    else {
      const { path, value } = writtenAt(input, issue.path);
      const field = fieldOf([...base, ...path]);
      // A value of the wrong type has the wrong length, too.
      if (told.has(field) && (issue.code === 'too_small' || issue.code === 'too_big')) continue;
      if (issue.code === 'invalid_type') told.add(field);
      problems.push({ field, reason: reasonOf(issue, value) });
    }
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}
