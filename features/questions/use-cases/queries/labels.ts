import { entryOf } from '#domain/assert.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import { NONE } from '#features/questions/rules/result.ts';
import type { QueryAsking } from './asking.ts';

/** Signatures whose titles, and CIs whose names are looked up. */
const MOST = 200;
const LABELLED = 1_000;

/** Title of the newest event by signature. */
async function titlesOf(
  { tenant, ports, receivedAt }: QueryAsking,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const range = { from: 0, to: receivedAt, limit: 1 };
  const past = await ports.eventHistory.history(tenant, signatures.slice(0, MOST), range);
  const newest = new Map([...past].flatMap(([signature, [event]]) => (event ? [[event.id, signature]] : [])));
  const events = await ports.events.getMany(tenant, [...newest.keys()]);
  return new Map(events.map(({ id, title }) => [entryOf(newest, id), title]));
}

async function labelsOf(asking: QueryAsking, grouping: Grouping, keys: readonly string[]) {
  if (grouping === 'signature') return titlesOf(asking, keys);
  if (grouping !== 'ci' && grouping !== 'host') return new Map<string, string>();
  const cis = await asking.ports.topology.getCis(asking.tenant, keys.slice(0, LABELLED));
  return new Map(cis.map(({ id, name }) => [id, name]));
}

/** Rows with names of CIs, and of each signature with a title. */
export async function labelled<R extends { readonly key: string; readonly label: string }>(
  asking: QueryAsking,
  grouping: Grouping,
  rows: readonly R[],
): Promise<readonly R[]> {
  const keys = rows.map(({ key }) => key).filter((key) => key !== NONE);
  const labels = await labelsOf(asking, grouping, keys);
  return rows.map((row) => ({ ...row, label: labels.get(row.key) ?? row.label }));
}
