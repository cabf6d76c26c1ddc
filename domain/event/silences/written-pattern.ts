/** Escapes, alternatives, classes, counts and anchors: nobody calls a machine so, and a silence would never hold. */
const REGULAR = /\\[.dwsbDWSB|()[\]]|\||\.\+|\[\w-\w\]|\[[^[\]]{1,100}\][+*{]|\{\d{1,5}(?:,\d{0,5})?\}|^\^|\$$/;
/** The same anywhere in a list of hosts or in a text with blanks around it, for readers of the interface. */
export const REGULAR_SOURCE = REGULAR.source.replace('^\\^|\\$$', '(?:^|,)\\s*\\^|\\$\\s*(?:,|$)');
const ANY = /\*/;

/** Host names and patterns that one silence may name. */
export const MOST_HOSTS = 50;

export const hostsOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Why a host would never match; null: it may. */
export function hostProblem(text: string): string | null {
  const hosts = hostsOf(text);
  if (hosts.length === 0) return 'expected at least one host name';
  if (hosts.length > MOST_HOSTS) return `expected at most ${MOST_HOSTS} hosts`;
  const wrong = hosts.find((host) => REGULAR.test(host));
  if (wrong === undefined) return null;
  return `expected host names, in which * stands for any characters and ? for one, separated by commas; regular expressions are not supported, got ${wrong}`;
}

/** The same for what is compared as a whole. */
export const exactProblem = (text: string): string | null =>
  REGULAR.test(text) || ANY.test(text)
    ? `expected the exact value, of which neither * nor a regular expression is part; only host takes patterns`
    : null;

/** A tag may hold anything but a regular expression. */
export const tagProblem = (text: string): string | null =>
  REGULAR.test(text) ? 'expected the exact tag; regular expressions are not supported' : null;
