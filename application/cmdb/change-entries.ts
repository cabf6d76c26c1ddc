import type { AuditEntry } from '#application/access/audit.ts';
import { sameJson } from '#domain/same-json.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { ciRecord } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';

type Json = Readonly<Record<string, unknown>>;

/** Said by the entry itself. */
const TOLD: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);
const BAGS: ReadonlySet<string> = new Set(['attributes', 'custom_fields']);
const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Fields in which `one` differs from `other`; bags by their own fields. */
function differing(one: Json, other: Json): Json {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(one)) {
    if (TOLD.has(name) || sameJson(value, other[name])) continue;
    const said = BAGS.has(name) ? differing(value as Json, (other[name] ?? {}) as Json) : value;
    if (!isEmpty(said)) found[name] = said;
  }
  return found;
}

const NOTHING: Json = {};
const entry = (kind: string, id: string, before: Json | null, after: Json): AuditEntry => ({
  action: `${kind}.${before === null ? 'created' : 'updated'}`,
  target: { kind, id },
  before: before && differing(before, after),
  after: differing(after, before ?? NOTHING),
});

/** Of one CI among many that scans and imports change: only what differs, as they may be a hundred thousand. */
export const ciEntry = (before: Ci | null, after: Ci): AuditEntry =>
  entry('ci', after.id, before && ciRecord(before), ciRecord(after));

/** As `ciEntry`. */
export const relationshipEntry = (before: Relationship | null, after: Relationship): AuditEntry =>
  entry('relationship', after.id, before && relationshipRecord(before), relationshipRecord(after));
