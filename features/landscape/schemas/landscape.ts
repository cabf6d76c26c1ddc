import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import type { FieldInUse, PlaceField, PlaceKey } from '#domain/ports/topology/infrastructure-queries.ts';
import { type Ci, isFromAi, type Relationship } from '#domain/topology/topology.ts';
import type { BoxCounts, BoxSet, CiBox } from '#features/landscape/rules/boxes.ts';
import { ciFilterFields } from '#schemas/http/cmdb/ci-filter.ts';

const MAX_LEVELS = 2;
const MAX_WITHOUT = 10;
const PREFIXES = { attributes: 'attribute.', customFields: 'custom_field.' } as const;
const FIELD = '(?:attribute|custom_field)\\.[^\\s,](?:[^,]{0,253}[^\\s,])?';

const fieldNamed = (word: string): PlaceField | null => {
  const bag = (['attributes', 'customFields'] as const).find((one) => word.startsWith(PREFIXES[one]));
  const name = bag === undefined ? '' : word.slice(PREFIXES[bag].length);
  return bag === undefined || name === '' || name.length > 255 ? null : { bag, name };
};
const keyText = (key: PlaceKey): string => (typeof key === 'string' ? key : PREFIXES[key.bag] + key.name);

/** A list of names in a query, separated by commas. */
const listOf = <T>(read: (word: string) => T | null, most: number, expected: string, item: string) =>
  z
    .string()
    .max(2_048)
    .transform((text, context) => {
      const found = text.split(',').map((word) => read(word.trim()));
      const known = found.filter((one) => one !== null);
      if (known.length === found.length && known.length <= most) return known as T[];
      context.addIssue({ code: 'custom', message: `expected ${expected}, up to ${most} separated by commas` });
      return z.NEVER;
    })
    .meta({ type: 'string', pattern: `^\\s*${item}\\s*(?:,\\s*${item}\\s*){0,${most - 1}}$` });

export const LandscapeQuery = z.strictObject({
  ...ciFilterFields,
  without: listOf(fieldNamed, MAX_WITHOUT, 'attribute.NAME or custom_field.NAME', FIELD)
    .optional()
    .meta({ description: 'Fields of which the CI has no plain value: attribute.NAME or custom_field.NAME' }),
  by: listOf(
    (word): PlaceKey | null => (word === 'type' || word === 'ci' ? word : fieldNamed(word)),
    MAX_LEVELS,
    'type, ci, attribute.NAME or custom_field.NAME',
    `(?:type|ci|${FIELD})`,
  )
    .optional()
    .meta({
      description: 'Levels of boxes, the outer one first. Default: the first two of `levels` in the reply and `ci`',
    }),
});

const count = z.int().min(0);
const counts = {
  cis: count,
  affected: count.meta({ description: 'CIs with an unresolved event' }),
  worst: z.enum(SEVERITIES).nullable().meta({ description: 'Highest unresolved severity; null: none' }),
};
const Others = z.object(counts).nullable().meta({ description: 'CIs of further boxes; null: none' });
const boxFields = {
  value: z.string().nullable().meta({ description: 'Null: the CIs have no such value' }),
  ci: z.string().optional().meta({ description: 'ID, if the box is one CI; `value` is its name' }),
  ...counts,
};
const InnerBox = z.object(boxFields).meta({ id: 'InnerLandscapeBox' });
const LandscapeBox = z
  .object({ ...boxFields, boxes: z.array(InnerBox), others: Others })
  .meta({ id: 'LandscapeBox', description: 'Boxes have the worst first, then the largest' });

export const LandscapeBody = z
  .object({
    ...counts,
    by: z.array(z.string()).meta({ description: 'Levels of the boxes' }),
    levels: z.array(z.string()).meta({ description: 'Levels that fit the attributes of this tenant' }),
    fields: z
      .array(z.object({ field: z.string(), cis: count, values: count }))
      .meta({ description: 'Fields that can be levels: those with at most 500 values' }),
    boxes: z.array(LandscapeBox).meta({ description: 'At most 200 with boxes within, else at most 1,000' }),
    others: Others,
    map: z
      .object({
        nodes: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
        edges: z.array(
          z.object({ source: z.string(), target: z.string(), type: z.string(), discovered_by_ai: z.boolean() }),
        ),
      })
      .nullable()
      .meta({
        description: 'CIs of a filter and their relationships, if they are at most 150; then there are no boxes',
      }),
  })
  .meta({ id: 'Landscape' });

export interface Landscape extends BoxSet, BoxCounts {
  readonly by: readonly PlaceKey[];
  readonly levels: readonly PlaceKey[];
  readonly fields: readonly FieldInUse[];
  /** Names by id for boxes that are CIs. */
  readonly names: ReadonlyMap<string, string>;
  readonly map: { readonly cis: readonly Ci[]; readonly links: readonly Relationship[] } | null;
}

const mapBody = ({ cis, links }: NonNullable<Landscape['map']>) => ({
  nodes: cis.map(({ id, name, type }) => ({ id, name, type })),
  edges: links.map(({ source, target, type, discoveredBy }) => ({
    source,
    target,
    type,
    discovered_by_ai: isFromAi(discoveredBy),
  })),
});

export function landscapeBody(found: Landscape): z.output<typeof LandscapeBody> {
  const { by, levels, fields, names, map, boxes, others } = found;
  const countsIn = ({ cis, affected, worst }: BoxCounts) => ({ cis, affected, worst });
  const innerOf = (box: CiBox, level: number) =>
    by[level] === 'ci' && box.value !== null
      ? { value: names.get(box.value) ?? box.value, ci: box.value, ...countsIn(box) }
      : { value: box.value, ...countsIn(box) };
  return {
    ...countsIn(found),
    by: by.map(keyText),
    levels: levels.map(keyText),
    fields: fields.map(({ count: cis, values, ...field }) => ({ field: keyText(field), cis, values })),
    boxes: boxes.map((box) => ({
      ...innerOf(box, 0),
      boxes: box.boxes.map((inner) => innerOf(inner, 1)),
      others: box.others && countsIn(box.others),
    })),
    others: others && countsIn(others),
    map: map && mapBody(map),
  };
}
