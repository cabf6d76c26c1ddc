/** Rows of `ci_field`: by which values of their attributes and custom fields CIs are listed. */
import { fieldsOf } from '#domain/topology/fields.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Statements } from './topology-rows.ts';

const ADD = 'INSERT INTO ci_field (tenant, field, value, n) VALUES (?, ?, ?, ?)';
const DROP = 'DELETE FROM ci_field WHERE tenant = ? AND field = ? AND value = ? AND n = ?';

interface Stored {
  readonly n: number;
  readonly attributes: string;
  readonly custom_fields: string;
}
type Fields = ReturnType<typeof fieldsOf>;

const storedFields = ({ attributes, custom_fields }: Stored): Fields =>
  fieldsOf({ attributes: JSON.parse(attributes), customFields: JSON.parse(custom_fields) });

const write = (db: Statements, sql: string, tenant: string, n: number, fields: Fields): void => {
  for (const [field, value] of fields) db.statement(sql).run(tenant, field, value, n);
};

/** Within the transaction that writes the CI, as all of these. */
export const addFields = (db: Statements, tenant: string, n: number, ci: Ci): void =>
  write(db, ADD, tenant, n, fieldsOf(ci));

export const dropFields = (db: Statements, tenant: string, stored: Stored): void =>
  write(db, DROP, tenant, stored.n, storedFields(stored));

/** Writes only what differs. */
export function changeFields(db: Statements, tenant: string, stored: Stored, ci: Ci): void {
  const isSame =
    stored.attributes === JSON.stringify(ci.attributes) && stored.custom_fields === JSON.stringify(ci.customFields);
  if (isSame) return;
  const [before, after] = [storedFields(stored), fieldsOf(ci)];
  const keyOf = ([field, value]: Fields[number]): string => `${field}\0${value}`;
  const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  write(
    db,
    DROP,
    tenant,
    stored.n,
    before.filter((one) => !now.has(keyOf(one))),
  );
  write(
    db,
    ADD,
    tenant,
    stored.n,
    after.filter((one) => !old.has(keyOf(one))),
  );
}
