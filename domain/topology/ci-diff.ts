import { sameJson } from '#domain/same-json.ts';
import type { Ci, Relationship } from './topology.ts';

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
    ['merged_from', ci.formerly],
    ...Object.entries(ci.attributes).map(([name, value]) => [`attributes.${name}`, value] as const),
    ...Object.entries(ci.customFields).map(([name, value]) => [`custom_fields.${name}`, value] as const),
  ]);

const relationshipFields = ({ type, discoveredBy, confidence, attributes }: Relationship): Map<string, unknown> =>
  new Map<string, unknown>([
    ['type', type],
    ['discovered_by', discoveredBy],
    ['confidence', confidence],
    ...Object.entries(attributes).map(([name, value]) => [`attributes.${name}`, value] as const),
  ]);

function differing(old: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of new Set([...now.keys(), ...old.keys()]))
    if (!sameJson(old.get(field), now.get(field)))
      changes.push({ field, before: old.get(field) ?? null, after: now.get(field) ?? null });
  return changes;
}

/** Changes from one version to the next; everything, when there was none before. */
export const changedFields = (before: Ci | null, after: Ci): FieldChange[] =>
  differing(before === null ? new Map() : fieldsOf(before), fieldsOf(after));

/** The same of a relationship, whose ends do not change. */
export const changedInRelationship = (before: Relationship, after: Relationship): FieldChange[] =>
  differing(relationshipFields(before), relationshipFields(after));
