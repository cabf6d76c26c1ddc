import { entryOf } from '#domain/assert.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { Bucket } from '#domain/ports/events/event-aggregates.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import { slices } from '#domain/slices.ts';
import { type Grouping, NONE } from '#features/questions/rules/query.ts';
import type { QueryAsking } from './asking.ts';

/** Sums by key and what the key is called. */
export interface Sum {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly sum: number;
}

/** Buckets as sums by the keys of each, which have labels. */
function sumsBy(buckets: readonly Bucket[], labelsOf: (keys: Bucket['keys']) => ReadonlyMap<string, string>): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { keys, count, sum } of buckets)
    for (const [key, label] of labelsOf(keys)) {
      const before = sums.get(key);
      sums.set(key, { key, label, count: count + (before?.count ?? 0), sum: sum + (before?.sum ?? 0) });
    }
  return [...sums.values()];
}
const unlabelled = (key: string): ReadonlyMap<string, string> => new Map([[key, key]]);

const CHUNK = 1_000;
export async function typesOf(
  { tenant, ports }: QueryAsking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (const some of slices(ids, CHUNK))
    for (const { id, type } of await ports.topology.getCis(tenant, some)) types.set(id, type);
  return types;
}

/** Buckets by CI as sums by its type of today. */
export async function foldTypes(asking: QueryAsking, buckets: readonly Bucket[]): Promise<readonly Sum[]> {
  const types = await typesOf(
    asking,
    buckets.flatMap(({ keys: [ci] }) => ci ?? []),
  );
  return sumsBy(buckets, ([ci]) => unlabelled(types.get(ci ?? '') ?? NONE));
}

/** Buckets by CI and host name as sums by host: the CI where one is bound, else the name; no host is named for an application. */
export const foldHosts = (buckets: readonly Bucket[]): readonly Sum[] =>
  sumsBy(buckets, ([ci = null, name = null]) => unlabelled(name === null ? NONE : (ci ?? canonicalHost(name))));

/** Buckets by service as senders call it, and CI, as sums by service: an event counts for each that it belongs to. */
export async function foldServices(
  { tenant, ports, receivedAt }: QueryAsking,
  buckets: readonly Bucket[],
): Promise<readonly Sum[]> {
  const byCi: ServicesOfCi = await ports.memory.services.of(tenant, receivedAt);
  const byName = new Map([...byCi.values()].flat().map((service) => [service.name.toLowerCase(), service]));
  return sumsBy(buckets, ([text = null, ci = null]) => {
    const named = text === null ? undefined : byName.get(text.toLowerCase());
    const services = new Map((byCi.get(ci ?? '') ?? []).map(({ id, name }) => [id, name]));
    if (named !== undefined) services.set(named.id, named.name);
    else if (text !== null) services.set(text, text);
    if (services.size === 0) services.set(NONE, NONE);
    return services;
  });
}

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
