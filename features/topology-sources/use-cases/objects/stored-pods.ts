import { inSteps } from '#application/tasks/in-steps.ts';
import type { Stepwise } from '#domain/ports/clock.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { sameJson } from '#domain/same-json.ts';
import type { PodBinding } from '#features/topology-sources/rules/prometheus/collected.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { eachPart, partId } from '#features/topology-sources/use-cases/said/said-book.ts';

/** Retention of ended pods, which alerts may still name; ms. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Number of pods per record. */
const PART = 2_000;
/** Limit per source; ended pods are dropped first. */
const MAX_PODS = 500_000;
export const OBJECT_SHELF = 'pod';

/** `goneAt`: 0 while the pod exists. */
export type StoredPod = readonly [pod: string, target: string, ip: string, goneAt: number];

export interface ObjectsHead {
  readonly source: string;
  readonly clusters: readonly string[];
  readonly parts: number;
  /** Changes with every update. */
  readonly version: number;
}

const headOf = async (records: RecordStore, tenant: string, source: string): Promise<ObjectsHead> =>
  (await records.get<ObjectsHead>(tenant, SOURCE_RECORDS.objects, source))?.body ?? {
    source,
    clusters: [],
    parts: 0,
    version: 0,
  };

/** Returns current pods, and pods that ended within a day. */
function* remembered(before: readonly StoredPod[], pods: readonly PodBinding[], at: number): Stepwise<StoredPod[]> {
  const now = new Map<string, StoredPod>();
  for (const { pod, target, ip } of pods) {
    yield;
    now.set(pod, [pod, target, ip ?? '', 0]);
  }
  let room = MAX_PODS - now.size;
  const all: StoredPod[] = [];
  for (const [pod, target, ip, goneAt] of before) {
    yield;
    const current = now.get(pod);
    const since = goneAt === 0 ? at : goneAt;
    if (current !== undefined) {
      all.push(current);
      now.delete(pod);
    } else if (at - since < REMEMBERED_MS && room-- > 0) all.push([pod, target, ip, since]);
  }
  // Sorting is cheap, as most entries are in order already.
  return [...all, ...now.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the numbers of parts that changed. */
function* differing(
  next: readonly (readonly StoredPod[])[],
  parts: readonly (readonly StoredPod[])[],
): Stepwise<number[]> {
  const changed: number[] = [];
  for (const [number, entries] of next.entries()) {
    yield;
    if (!sameJson(entries, parts[number])) changed.push(number);
  }
  return changed;
}

/** Stores which CI represents each pod. Returns whether anything changed. */
export async function storePods(
  { records, clock }: Pick<Ports, 'records' | 'clock'>,
  tenant: string,
  found: {
    readonly source: string;
    readonly pods: readonly PodBinding[];
    readonly clusters: readonly string[];
    readonly at: number;
  },
): Promise<boolean> {
  const { source, pods, at } = found;
  const head = await headOf(records, tenant, source);
  const parts: (readonly StoredPod[])[] = [];
  const place = { kind: SOURCE_RECORDS.objectPart, source, shelf: OBJECT_SHELF, parts: head.parts };
  await eachPart<StoredPod>(records, tenant, place, (_, entries) => void parts.push(entries));
  const all = await inSteps(remembered(parts.flat(), pods, at), clock);
  const clusters = [...found.clusters].sort();
  const next = Array.from({ length: Math.ceil(all.length / PART) }, (_, n) => all.slice(n * PART, (n + 1) * PART));
  const changed = await inSteps(differing(next, parts), clock);
  if (changed.length === 0 && next.length === parts.length && sameJson(clusters, head.clusters)) return false;
  for (const number of changed)
    await records.put(tenant, SOURCE_RECORDS.objectPart, partId(source, OBJECT_SHELF, number), {
      entries: next[number],
    });
  const body: ObjectsHead = { source, clusters, parts: next.length, version: head.version + 1 };
  await records.put(tenant, SOURCE_RECORDS.objects, source, body);
  for (let number = next.length; number < parts.length; number++)
    await records.remove(tenant, SOURCE_RECORDS.objectPart, partId(source, OBJECT_SHELF, number));
  return true;
}

export async function dropPods(records: RecordStore, tenant: string, source: string): Promise<void> {
  const { parts } = await headOf(records, tenant, source);
  await records.remove(tenant, SOURCE_RECORDS.objects, source);
  for (let number = 0; number < parts; number++)
    await records.remove(tenant, SOURCE_RECORDS.objectPart, partId(source, OBJECT_SHELF, number));
}
