import type { UseCaseContext } from '#application/access/context.ts';
import { slices } from '#domain/slices.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { listenerOn, type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import type { Knowledge, PortConnection } from '#features/proposals/rules/infer.ts';

/** CIs whose network records are read; of the others nothing is known. */
const MOST_CIS = 500;
const AT_ONCE = 16;
const DAY_MS = 86_400_000;
/** Shorter words must stand alone: `mq` is in many words. */
const LONG_WORD = 4;

/** The network records of CIs, by CI; those without one are left out. */
export async function networksOf(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Network>> {
  const networks = new Map<string, Network>();
  const read = async (id: string): Promise<void> => {
    const stored = await ports.records.get<NetworkRecord>(tenant, DISCOVERY_KINDS.network, id);
    if (stored !== null) networks.set(id, stored.body);
  };
  for (const some of slices(ids, AT_ONCE)) await Promise.all(some.map(read));
  return networks;
}

const hasWord = (text: string, words: readonly string[]): boolean => {
  const parts = text.toLowerCase().split(/[^a-z0-9]+/);
  return words.some((word) => (word.length < LONG_WORD ? parts.includes(word) : text.toLowerCase().includes(word)));
};

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Network records of the CIs of these connections; `known`: records that were read already, by CI. */
export async function networkKnowledge(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  connections: readonly PortConnection[],
  cis: ReadonlyMap<string, Ci>,
  known: ReadonlyMap<string, Network> = new Map(),
): Promise<Knowledge> {
  const ends = [...new Set(connections.flatMap(({ source, target }) => [source, target]))];
  const missing = ends.filter((id) => !known.has(id)).slice(0, MOST_CIS);
  const networks = new Map([...known, ...(await networksOf(asking, missing))]);
  const networkOf = (id: string): Network => networks.get(id) ?? NO_NETWORK;
  const groupsOn = (source: string, port: number) =>
    networkOf(source).connections.filter(({ ports }) => ports.includes(port));
  return {
    listens: (target, port) => listenerOn(networkOf(target), port) !== null,
    agrees(target, port, words) {
      const texts = [cis.get(target)?.type ?? '', listenerOn(networkOf(target), port)?.name ?? ''];
      return texts.some((text) => hasWord(text, words));
    },
    days(source, target, port) {
      const ci = cis.get(target);
      const addresses = new Set(ci === undefined ? [] : lookupOf(ci).addresses);
      const groups = groupsOn(source, port).filter(({ targetIp }) => addresses.has(targetIp));
      return Math.max(0, ...groups.map(({ firstSeen, lastSeen }) => dayOf(lastSeen) - dayOf(firstSeen) + 1));
    },
    targets: (source, port) => new Set(groupsOn(source, port).map(({ targetIp }) => targetIp)).size,
  };
}
