type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : { value };
};

/** As it stands in a cell. */
const said = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

interface Change {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** The fields in which two records differ, in the order in which they come. */
export const changesOf = (before: unknown, after: unknown): Change[] => {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .map((field) => ({ field, before: said(one[field]), after: said(other[field]) }))
    .filter((change) => change.before !== change.after);
};
