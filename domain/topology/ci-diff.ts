import { sameJson } from '#domain/discovery/same-json.ts';
import type { Ci } from './topology.ts';

/** One field that changed; `attributes` and `customFields` by their first names. Null: it was not there, or is no more. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields as callers write them. */
const fieldsOf = (ci: Ci): Map<string, unknown> =>
  new Map<string, unknown>([
    ['name', ci.name],
    ['type', ci.type],
    ['status', ci.status],
    ['description', ci.description],
    ['external_key', ci.externalKey],
    ...Object.entries(ci.attributes).map(([name, value]) => [`attributes.${name}`, value] as const),
    ...Object.entries(ci.customFields).map(([name, value]) => [`custom_fields.${name}`, value] as const),
  ]);

/** What changed from one version to the next; everything, when there was none before. */
export function changedFields(before: Ci | null, after: Ci): FieldChange[] {
  const old = before === null ? new Map<string, unknown>() : fieldsOf(before);
  const now = fieldsOf(after);
  const changes: FieldChange[] = [];
  for (const field of new Set([...now.keys(), ...old.keys()]))
    if (!sameJson(old.get(field), now.get(field)))
      changes.push({ field, before: old.get(field) ?? null, after: now.get(field) ?? null });
  return changes;
}
