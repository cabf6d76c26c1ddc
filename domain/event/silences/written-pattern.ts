/**
 * Escapes, alternatives, classes, counts and anchors: no machine name contains them, and a silence would never match.
 */
const REGULAR = /\\[.dwsbDWSB|()[\]]|\||\.\+|\[\w-\w\]|\[[^[\]]{1,100}\][+*{]|\{\d{1,5}(?:,\d{0,5})?\}|^\^|\$$/;
/** The same anywhere in a list of hosts or in a text with blanks around it, for readers of the interface. */
export const REGULAR_SOURCE = REGULAR.source.replace('^\\^|\\$$', '(?:^|,)\\s*\\^|\\$\\s*(?:,|$)');
const ANY = /\*/;

/** Host names and patterns that one silence may name. */
export const MAX_HOSTS = 50;

export const hostsOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Returns the reason why a host would never match; null: it may. */
export function hostProblem(text: string): string | null {
  const hosts = hostsOf(text);
  if (hosts.length === 0) return 'expected at least one host name';
  if (hosts.length > MAX_HOSTS) return `expected at most ${MAX_HOSTS} hosts`;
  const wrong = hosts.find((host) => REGULAR.test(host));
  if (wrong === undefined) return null;
  return `expected hostname patterns (* and ?), comma-separated; regular expressions are not supported; got ${wrong}`;
}

/** The same for names that are compared as a whole. */
export const exactProblem = (text: string): string | null =>
  REGULAR.test(text) || ANY.test(text) ? `expected an exact value; only host supports patterns` : null;

/** A tag may hold anything but a regular expression. */
export const tagProblem = (text: string): string | null =>
  REGULAR.test(text) ? 'expected the exact tag; regular expressions are not supported' : null;
