import type { FieldInUse, PlaceField, PlaceKey } from '#domain/ports/topology/infrastructure-queries.ts';

/** Common names of fields, from large places to small ones. */
const OUTER = ['region', 'site', 'datacenter', 'data_center', 'location', 'building'];
const INNER = ['room', 'rack', 'cluster', 'environment'];
/** Share of the CIs that must have a value. */
const LEAST_SHARE = 0.1;
/** More values are no places, but names. */
const MAX_VALUES = 500;

/** Fields whose values are few enough to be places; those with most CIs first. */
export const placeFields = (fields: readonly FieldInUse[]): readonly FieldInUse[] =>
  fields.filter(({ name, values }) => values <= MAX_VALUES && !name.includes(',') && name.trim() === name);

/** The levels that fit the fields: a large place, a smaller one, the type. */
export function levelsOf(fields: readonly FieldInUse[], cis: number): readonly PlaceKey[] {
  const usable = placeFields(fields).filter(({ count }) => count >= cis * LEAST_SHARE);
  const first = (names: readonly string[]): PlaceField[] => {
    const found = names.flatMap((name) => usable.find((field) => field.name.toLowerCase() === name) ?? [])[0];
    return found === undefined ? [] : [{ bag: found.bag, name: found.name }];
  };
  return [...first(OUTER), ...first(INNER), 'type'];
}
