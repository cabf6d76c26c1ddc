/** Finds CIs by what a scanner knows of a machine. */
import { type MachineKeys, type MatchedCis, type MatchIndex, matchOne } from '#domain/topology/match.ts';
import { hardwareKey, INDEX_MARKS } from '#infra/neo4j/client/ci-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';

const FIND = `UNWIND $keys AS key CALL (key) {
    MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = key AND k.ci IS NOT NULL RETURN k.ci AS id LIMIT 11
  } RETURN key, collect(id) AS ids`;

const keyOf = (index: MatchIndex, text: string): string =>
  index === 'hardware' ? hardwareKey(text) : INDEX_MARKS[index] + text;

/** One round trip for all machines together. */
export async function matchAll(read: Run, tenant: string, machines: readonly MachineKeys[]): Promise<MatchedCis[]> {
  const asked = new Set<string>();
  // Where nothing is found the rule looks everywhere, so this names all it may ever ask for.
  for (const machine of machines)
    matchOne((index, text) => {
      asked.add(keyOf(index, text));
      return [];
    }, machine);
  const rows = asked.size === 0 ? [] : await read<{ key: string; ids: string[] }>(FIND, { tenant, keys: [...asked] });
  const known = new Map(rows.map(({ key, ids }) => [key, ids]));
  return machines.map((machine) => matchOne((index, text) => known.get(keyOf(index, text)) ?? [], machine));
}
