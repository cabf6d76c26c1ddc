import type { UseCaseContext } from '#application/access/context.ts';
import { itemAt } from '#domain/assert.ts';
import { type CiLine, isMeant } from '#domain/topology/import.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import { MATCH_KEYS, type MachineKeys, NO_KEYS } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';

const keysOf = ({ external_key, name }: CiLine): MachineKeys =>
  external_key === undefined
    ? { ...NO_KEYS, fqdn: name === undefined ? [] : [nameKey(name)] }
    : { ...NO_KEYS, external_key: [external_key] };

/** The CIs that each line means: that of its external key, else those of its name and type. */
export async function resolveCis(
  { ports, tenant }: Pick<UseCaseContext, 'ports' | 'tenant'>,
  lines: readonly CiLine[],
): Promise<Ci[][]> {
  const matched = await ports.matcher.match(tenant, lines.map(keysOf));
  const ids = matched.map((found) => [...new Set(MATCH_KEYS.flatMap((key) => found[key]))]);
  const cis = new Map((await ports.topology.getCis(tenant, [...new Set(ids.flat())])).map((ci) => [ci.id, ci]));
  return lines.map((line, i) =>
    itemAt(ids, i)
      .flatMap((id) => cis.get(id) ?? [])
      .filter((ci) => isMeant(line, ci)),
  );
}
