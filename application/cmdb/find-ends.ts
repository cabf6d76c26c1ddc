import type { TenantContext } from '#application/access/context.ts';
import { entryOf } from '#domain/assert.ts';
import type { Binding } from '#domain/topology/binding.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import { type MachineKeys, NO_KEYS } from '#domain/topology/match.ts';
import { zip } from '#domain/zip.ts';

/** Name of an end of a relationship: id, external key or name; the type distinguishes CIs of one name. */
export interface NamedEnd {
  readonly text: string;
  readonly type?: string | undefined;
}
/** Its id, or why there is none. */
export type FoundEnd = { readonly id: string } | { readonly error: string };

const keyOf = ({ text, type }: NamedEnd): string => JSON.stringify([text, type?.toLowerCase() ?? null]);

const named = (text: string): MachineKeys => ({ ...NO_KEYS, fqdn: [nameKey(text)] });

/** CIs of one name and type, for names that several CIs have. */
async function byType(
  { ports, tenant }: TenantContext,
  ends: readonly NamedEnd[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ends.length === 0) return new Map();
  const matched = await ports.matcher.match(
    tenant,
    ends.map(({ text }) => named(text)),
  );
  const cis = await ports.topology.getCis(tenant, [...new Set(matched.flatMap(({ fqdn }) => fqdn))]);
  const fits = ({ text, type }: NamedEnd): string[] =>
    cis
      .filter((ci) => nameKey(ci.name) === nameKey(text) && ci.type.toLowerCase() === type?.toLowerCase())
      .map(({ id }) => id);
  return new Map(ends.map((end) => [keyOf(end), fits(end)]));
}

const errorOf = ({ text, type }: NamedEnd, { ambiguous }: Binding): string => {
  if (type !== undefined) return `no unique CI of type ${type} with ID, external key or name ${text}`;
  return ambiguous
    ? `several CIs are named ${text}. Use the ID or external key, or add the type`
    : `no CI with ID, external key or name ${text}`;
};

const ciOfType = ({ ci }: Binding, type: string | undefined): Binding['ci'] =>
  ci !== null && (type === undefined || ci.type.toLowerCase() === type.toLowerCase()) ? ci : null;

/** All ends of a file or request at once; the answer knows each of them. */
export async function findEnds(asking: TenantContext, ends: readonly NamedEnd[]): Promise<(end: NamedEnd) => FoundEnd> {
  const different = [...new Map(ends.map((end) => [keyOf(end), end])).values()];
  const queries = different.map(({ text }) => ({ ciId: text, hints: [text] }));
  const bindings = await asking.ports.matcher.bind(asking.tenant, queries);
  const bound = zip(different, bindings);
  const unsure = bound.flatMap(([end, binding]) =>
    end.type !== undefined && ciOfType(binding, end.type) === null ? [end] : [],
  );
  const typed = await byType(asking, unsure);
  const found = bound.map(([end, binding]): readonly [string, FoundEnd] => {
    const ci = ciOfType(binding, end.type);
    if (ci !== null) return [keyOf(end), { id: ci.id }];
    const [only, ...others] = typed.get(keyOf(end)) ?? [];
    const isOne = only !== undefined && others.length === 0;
    return [keyOf(end), isOne ? { id: only } : { error: errorOf(end, binding) }];
  });
  const byKey = new Map(found);
  return (end) => entryOf(byKey, keyOf(end));
}
