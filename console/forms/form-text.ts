/** The text of a field of a form, without blanks around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** The server's error of a field or of a part of it: `members`, `members[2]`, `headers.X-Key`. */
export const problemOf = (problems: Readonly<Record<string, string>>, field: string): string | undefined => {
  const isOf = (name: string): boolean =>
    name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`);
  const found = Object.keys(problems).find(isOf);
  if (found === undefined) return undefined;
  return found === field ? problems[found] : `${found.slice(field.length).replace(/^\./, '')}: ${problems[found]}`;
};
