import type { AuditEntry } from '#application/access/audit.ts';
import { sameJson } from '#domain/same-json.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { ciRecord } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';

type RecordFields = Readonly<Record<string, unknown>>;

/** Fields that the entry itself contains. */
const TOLD: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);
const BAGS: ReadonlySet<string> = new Set(['attributes', 'custom_fields']);
const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Fields in which `one` differs from `other`; bags by their own fields. */
function differing(one: RecordFields, other: RecordFields): RecordFields {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(one)) {
    if (TOLD.has(name) || sameJson(value, other[name])) continue;
    const said = BAGS.has(name) ? differing(value as RecordFields, (other[name] ?? {}) as RecordFields) : value;
    if (!isEmpty(said)) found[name] = said;
  }
  return found;
}

const NOTHING: RecordFields = {};
const entry = (kind: string, id: string, before: RecordFields | null, after: RecordFields): AuditEntry => ({
  action: `${kind}.${before === null ? 'created' : 'updated'}`,
  target: { kind, id },
  before: before && differing(before, after),
  after: differing(after, before ?? NOTHING),
});

/** Entry for one CI among many that scans and imports change: only differences, as there may be a hundred thousand. */
export const ciEntry = (before: Ci | null, after: Ci): AuditEntry =>
  entry('ci', after.id, before && ciRecord(before), ciRecord(after));

/** Counterpart of `ciEntry`. */
export const relationshipEntry = (before: Relationship | null, after: Relationship): AuditEntry =>
  entry('relationship', after.id, before && relationshipRecord(before), relationshipRecord(after));
