import { fieldsOf, foundTexts } from '#domain/topology/fields.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Migration } from './migration.ts';

const parsed = (attributes: unknown, customFields: unknown): Pick<Ci, 'attributes' | 'customFields'> => ({
  attributes: JSON.parse(String(attributes)),
  customFields: JSON.parse(String(customFields)),
});

/**
 * Indexes of lists of CIs: plain values of their fields, times when they were last seen, and `found_key`, which searches read.
 * `formerly` (JSON) has the ids and external keys of those that were merged into one.
 */
export const ciFields: Migration = {
  id: 3,
  name: 'ci-fields',
  functions: {
    fields_of: (attributes, customFields) => JSON.stringify(fieldsOf(parsed(attributes, customFields))),
    found_of: (name, key, attributes, customFields) => {
      const named = { name: String(name), ...(key !== null && { externalKey: String(key) }) };
      const ci = { ...named, ...parsed(attributes, customFields) } as Ci;
      return foundTexts(ci, lookupOf(ci));
    },
  },
  sql: `
ALTER TABLE ci ADD COLUMN formerly TEXT;
ALTER TABLE ci_past ADD COLUMN formerly TEXT;
ALTER TABLE ci ADD COLUMN found_key TEXT NOT NULL DEFAULT '';
UPDATE ci SET found_key = found_of(name, external_key, attributes, custom_fields);
DROP INDEX ci_list;
CREATE INDEX ci_list ON ci (tenant, name_key, id, type, status, created_at, updated_at, description_key, found_key);

CREATE TABLE ci_field (
  tenant TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, field, value, n)
) STRICT, WITHOUT ROWID;
INSERT INTO ci_field (tenant, field, value, n)
  SELECT ci.tenant, f.value ->> 0, f.value ->> 1, ci.n FROM ci, json_each(fields_of(ci.attributes, ci.custom_fields)) f;

CREATE TABLE ci_seen (tenant TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE INDEX ci_seen_at ON ci_seen (tenant, at, id);
`,
};
