type Path = readonly string[];

const isInner = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Paths of everything in a JSON value that is neither an object nor an array. */
export const leaves = (value: unknown, path: Path = []): Path[] =>
  isInner(value) ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name])) : [path];

/** The value with another leaf. */
export function replacedAt(value: unknown, [name, ...rest]: Path, leaf: unknown): unknown {
  if (name === undefined || !isInner(value)) return leaf;
  const changed = replacedAt((value as Readonly<Record<string, unknown>>)[name], rest, leaf);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}

/** The value at the end of a path. */
export const leafAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>>)[name], value);
