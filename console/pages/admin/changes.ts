type AuditFields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): AuditFields => {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as AuditFields) : { value };
};

/** Returns the text of a cell. */
const said = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

interface AuditChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the fields in which two records differ, in their order. */
export const changesOf = (before: unknown, after: unknown): AuditChange[] => {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .map((field) => ({ field, before: said(one[field]), after: said(other[field]) }))
    .filter((change) => change.before !== change.after);
};
