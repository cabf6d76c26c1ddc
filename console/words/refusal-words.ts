import { isProblem } from '#console/api/link/problem.ts';
import { errorMessage } from '#domain/fault.ts';
import { plain } from './counts.ts';
import { duration } from './times.ts';

/** Problems that are said; the form shows all of them beside its fields. */
const MOST_SAID = 3;

/** `filter.severity[0]` → `Severity`: for a field that the form has no words for. */
const fieldWords = (field: string): string =>
  plain(
    (field.split('.').at(-1) ?? field)
      .replace(/\[\d+\]$/, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  );

/** `. Try again in 12 s`: when the server said how long it has too much to do. */
const waitWords = (error: unknown): string => {
  const wait = isProblem(error, 429, 503) ? error.retryAfterMs : null;
  return wait === null ? '' : `. Try again in ${duration(wait)}`;
};

/** Why the server did not do it, in the words of the form: its message begins with the first field as programs call it. */
export const refusalWords = (
  error: unknown,
  labelOf: (field: string) => string | undefined = () => undefined,
): string => {
  const problems = isProblem(error) ? Object.entries(error.fields) : [];
  if (problems.length === 0) return `${errorMessage(error)}${waitWords(error)}`;
  const said = problems
    .slice(0, MOST_SAID)
    .map(([field, reason]) => `${labelOf(field) ?? fieldWords(field)}: ${reason}`);
  const more = problems.length - said.length;
  return `${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};
