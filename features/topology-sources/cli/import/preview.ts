import { clip, count, tableOf } from '#cli/terminal/screen.ts';
import type { Conversion } from '#features/topology-sources/rules/converters/conversion.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';

/** Maximum number of names to print. */
const SHOWN = 40;

const counted = (types: Iterable<string>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const type of types) found.set(type, (found.get(type) ?? 0) + 1);
  return found;
};

const listOf = (title: string, all: ReadonlyMap<string, number>): string[] => {
  if (all.size === 0) return [];
  const named = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => `${clip(name, 120)} (${count(n)})`);
  const more = named.length > SHOWN ? [`and ${count(named.length - SHOWN)} more`] : [];
  return [`${title}: ${[...named.slice(0, SHOWN), ...more].join(', ')}`];
};

/** Number of CIs and relationships by type, and of objects that were left out. */
export function previewText({ cis, edges }: WantedSet, { skipped, set }: Conversion): string {
  const rows = [
    ...[...counted(cis.map(({ line }) => line.type ?? ''))].map(([type, n]) => ['CI', type, count(n)]),
    ...[...counted(edges.map(({ line }) => line.type))].map(([type, n]) => ['Relationship', type, count(n)]),
  ];
  const table = tableOf([{ title: '' }, { title: 'type' }, { title: 'in files', right: true }], rows);
  return [table, ...listOf('Not imported', skipped), ...listOf('Not in the files', set.unresolved)].join('\n');
}

/** Rows of a sync, as JSON lines. */
export const syncRows = ({ cis, edges }: WantedSet): string =>
  [
    ...cis.map(({ line }) => ({ kind: 'ci', ...line })),
    ...edges.map(({ line, source, target }) => ({
      kind: 'relationship',
      source_ci: source.text,
      target_ci: target.text,
      ...line,
    })),
  ]
    .map((row) => JSON.stringify(row))
    .join('\n');
