import { isProblem } from '#console/api/link/problem.ts';
import { errorMessage } from '#domain/fault.ts';
import { plain } from './counts.ts';
import { duration } from './times.ts';

/** Maximum of problems shown; the form shows all of them beside its fields. */
const MAX_SAID = 3;

/** `filter.severity[0]` → `Severity`: for a field that the form has no words for. */
const fieldWords = (field: string): string =>
  plain(
    (field.split('.').at(-1) ?? field)
      .replace(/\[\d+\]$/, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  );

/** Returns `. Try again in 12 s`, when the overloaded server sent a delay. */
const waitWords = (error: unknown): string => {
  const wait = isProblem(error, 429, 503) ? error.retryAfterMs : null;
  return wait === null ? '' : `. Try again in ${duration(wait)}`;
};

/**
 * Returns the reason of the refusal, in the labels of the form: the server's message begins with the first field's API
 * name.
 */
export const refusalWords = (
  error: unknown,
  labelOf: (field: string) => string | undefined = () => undefined,
): string => {
  const problems = isProblem(error) ? Object.entries(error.fields) : [];
  if (problems.length === 0) return `${errorMessage(error)}${waitWords(error)}`;
  const said = problems
    .slice(0, MAX_SAID)
    .map(([field, reason]) => `${labelOf(field) ?? fieldWords(field)}: ${reason}`);
  const more = problems.length - said.length;
  return `${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};
