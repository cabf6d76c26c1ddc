import { everyRecord } from '#application/records/list-records.ts';
import { type KnownByTenant, knownByTenant, Lru } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { KnownObjects } from '#features/topology-sources/rules/known-objects.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { eachPart } from '#features/topology-sources/use-cases/said/said-book.ts';
import { OBJECT_SHELF, type ObjectsHead, type StoredPod } from './stored-pods.ts';

/** Maximum age of pods that another process found; ms. */
const TTL_MS = 5_000;
/** Maximum number of tenants with pods in memory. */
const MAX_TENANTS = 200;

interface Loaded {
  readonly version: string;
  readonly known: KnownObjects;
}

async function load(records: RecordStore, tenant: string, heads: readonly ObjectsHead[]): Promise<KnownObjects> {
  const pods = new Map<string, string>();
  const addresses = new Map<string, string | null>();
  for (const { source, parts } of heads) {
    const place = { kind: SOURCE_RECORDS.objectPart, source, shelf: OBJECT_SHELF, parts };
    await eachPart<StoredPod>(records, tenant, place, (_, entries) => {
      for (const [pod, target, ip, goneAt] of entries) {
        // A running pod takes precedence over an ended pod of the same name.
        if (goneAt === 0 || !pods.has(pod)) pods.set(pod, target);
        if (ip === '' || goneAt !== 0) continue;
        const other = addresses.get(ip);
        addresses.set(ip, other === undefined || other === target ? target : null);
      }
    });
  }
  return { clusters: [...new Set(heads.flatMap(({ clusters }) => clusters))].sort(), pods, addresses };
}

/** Known objects of each tenant, loaded again only after a change. */
export const KNOWN_OBJECTS: MemorySlot<KnownByTenant<KnownObjects>> = {
  name: 'topology-objects',
  open: (records) => {
    const loaded = new Lru<string, Loaded>(MAX_TENANTS);
    return knownByTenant(TTL_MS, async (tenant) => {
      const heads = await everyRecord<ObjectsHead>(records, tenant, SOURCE_RECORDS.objects);
      const version = heads.map(({ source, version }) => `${source} ${version}`).join('\n');
      const before = loaded.get(tenant);
      if (before?.version === version) return before.known;
      const known = await load(records, tenant, heads);
      loaded.set(tenant, { version, known });
      return known;
    });
  },
};
