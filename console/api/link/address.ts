import { withTurnsMeant } from '#domain/texts/unseen.ts';

type Value = string | number | boolean | null | undefined | readonly (string | number)[];
/** Values that are absent or empty are left out; lists are separated by commas. */
export type AddressQuery = Readonly<Record<string, Value>>;

/** `a=1&b=x,y`, in order of the names, so that equal queries are equal texts. */
export const queryText = (query: AddressQuery): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [[name, withTurnsMeant(text)] as [string, string]];
  });
  return new URLSearchParams(pairs.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
};

/** Returns the address of `GET /api/events/{eventId}` below the base of the page, with the parameters filled in. */
export const addressOf = (
  base: string,
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: AddressQuery = {},
): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(withTurnsMeant(value));
  });
  const url = new URL(filled.replace(/^\//, ''), base);
  url.search = queryText(query);
  return url.href;
};

/** Returns the root of the server for this page: the page is at `<root>ui/…`. */
export const rootOf = (baseUri: string): string => new URL('..', new URL('./', baseUri)).href;
