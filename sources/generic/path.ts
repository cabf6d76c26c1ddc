import { isRecord } from '#domain/record-of.ts';

/** JSONPath (RFC 9535) as far as a field needs it: names, indices, all members, and members by the value of one of their fields. */

type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly name: string; readonly is: string };
export type Path = readonly PathStep[];

export const MAX_PATH = 300;
/** Values that one path may find. */
const MOST = 1_000;

const STEPS: readonly (readonly [RegExp, (found: RegExpExecArray) => PathStep])[] = [
  [/\.\*|\[\*\]/y, () => ({ kind: 'all' })],
  [/\.([\p{L}_][\p{L}\p{N}_-]*)/uy, ([, name = '']) => ({ kind: 'name', name })],
  [/\['([^'\\]*)'\]|\["([^"\\]*)"\]/y, ([, one, other]) => ({ kind: 'name', name: one ?? other ?? '' })],
  [/\[(-?\d{1,6})\]/y, ([, index]) => ({ kind: 'index', index: Number(index) })],
  [
    /\[\?@\.([\p{L}_][\p{L}\p{N}_-]*) ?== ?(?:'([^'\\]*)'|"([^"\\]*)")\]/uy,
    ([, name = '', one, other]) => ({ kind: 'where', name, is: one ?? other ?? '' }),
  ],
];

function stepAt(text: string, at: number): { readonly step: PathStep; readonly end: number } | null {
  for (const [pattern, stepOf] of STEPS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return { step: stepOf(found), end: pattern.lastIndex };
  }
  return null;
}

/** The path, or why it is none. */
export function parsePath(text: string): Path | string {
  if (!text.startsWith('$')) return 'expected a path that begins with $';
  const steps: PathStep[] = [];
  for (let at = 1; at < text.length; ) {
    const found = stepAt(text, at);
    if (found === null)
      return `can't be parsed from character ${at + 1}: expected .name, ['name'], [0], [*] or [?@.name=='value']`;
    steps.push(found.step);
    at = found.end;
  }
  return steps;
}

const members = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];

function next(step: PathStep, value: unknown): readonly unknown[] {
  if (step.kind === 'all') return members(value);
  if (step.kind === 'where')
    return members(value).filter((one) => isRecord(one) && Object.hasOwn(one, step.name) && one[step.name] === step.is);
  if (step.kind === 'index')
    return Array.isArray(value) && value.at(step.index) !== undefined ? [value.at(step.index)] : [];
  return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
}

/** Everything that a path finds, in the order of the body. */
export function valuesAt(path: Path, body: unknown): readonly unknown[] {
  let found: readonly unknown[] = [body];
  for (const step of path) found = found.flatMap((value) => next(step, value)).slice(0, MOST);
  return found;
}
