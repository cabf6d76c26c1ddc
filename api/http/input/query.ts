const none: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** The query by name; a repeated parameter is the same as one with commas. */
export function queryOf(search: string): Record<string, string> {
  if (search === '') return none as Record<string, string>;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return query;
}
