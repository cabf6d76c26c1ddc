/** Rows of `ci_field`: by which values of their attributes and custom fields CIs are listed. */
import { fieldsOf } from '#domain/topology/fields.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Statements } from './rows.ts';

const ADD = `INSERT INTO ci_field (tenant, field, value, n)
  SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const DROP = `DELETE FROM ci_field WHERE tenant = ?1 AND (field, value, n) IN
  (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2))`;

interface StoredFields {
  readonly n: number;
  readonly attributes: string;
  readonly custom_fields: string;
}
type FieldRow = readonly [field: string, value: string, n: number];

/**
 * Rows that a transaction adds and drops, written together at its end: one statement per row would be as slow as the CI
 * itself.
 */
export interface FieldChanges {
  readonly added: FieldRow[];
  readonly dropped: FieldRow[];
}
export const noFieldChanges = (): FieldChanges => ({ added: [], dropped: [] });

const rowsOf = (n: number, ci: Parameters<typeof fieldsOf>[0]): FieldRow[] =>
  fieldsOf(ci).map(([field, value]) => [field, value, n]);

const storedRows = ({ n, attributes, custom_fields }: StoredFields): FieldRow[] =>
  rowsOf(n, { attributes: JSON.parse(attributes), customFields: JSON.parse(custom_fields) });

export const addFields = ({ added }: FieldChanges, n: number, ci: Ci): void => {
  added.push(...rowsOf(n, ci));
};

export const dropFields = ({ dropped }: FieldChanges, stored: StoredFields): void => {
  dropped.push(...storedRows(stored));
};

/** Records only differences. */
export function changeFields({ added, dropped }: FieldChanges, stored: StoredFields, ci: Ci): void {
  const isSame =
    stored.attributes === JSON.stringify(ci.attributes) && stored.custom_fields === JSON.stringify(ci.customFields);
  if (isSame) return;
  const [before, after] = [storedRows(stored), rowsOf(stored.n, ci)];
  const keyOf = ([field, value]: FieldRow): string => `${field}\0${value}`;
  const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  dropped.push(...before.filter((one) => !now.has(keyOf(one))));
  added.push(...after.filter((one) => !old.has(keyOf(one))));
}

const inOrder = (one: FieldRow, other: FieldRow): number =>
  one[0] === other[0]
    ? one[1] === other[1]
      ? one[2] - other[2]
      : one[1] < other[1]
        ? -1
        : 1
    : one[0] < other[0]
      ? -1
      : 1;

/** Rows of several versions of one CI cancel out: a value that was added and dropped again has no row. */
function settled({ added, dropped }: FieldChanges): FieldChanges {
  const keyOf = (row: FieldRow): string => row.join('\0');
  const count = new Map<string, { row: FieldRow; by: number }>();
  const note = (row: FieldRow, by: number): void => {
    const known = count.get(keyOf(row)) ?? { row, by: 0 };
    count.set(keyOf(row), { row, by: known.by + by });
  };
  for (const row of added) note(row, 1);
  for (const row of dropped) note(row, -1);
  const all = [...count.values()];
  const of = (sign: number): FieldRow[] => all.filter(({ by }) => by === sign).map(({ row }) => row);
  return { added: of(1), dropped: of(-1) };
}

/** Runs within the transaction that writes the CIs; in the order of the index. */
export function writeFields(db: Statements, tenant: string, changes: FieldChanges): void {
  const { added, dropped } = changes.dropped.length === 0 ? changes : settled(changes);
  if (dropped.length > 0) db.statement(DROP).run(tenant, JSON.stringify(dropped));
  if (added.length > 0) db.statement(ADD).run(tenant, JSON.stringify([...added].sort(inOrder)));
}
