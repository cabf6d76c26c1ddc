import type { Occurrence } from '#domain/event/incoming.ts';
import type { Lifecycle } from '#domain/event/lifecycle/lifecycle.ts';
import { type CompiledSilences, NO_SILENCES, suppressionOf } from '#domain/event/silences/judge.ts';
import type { SilenceRule } from '#domain/event/silences/silence-rule.ts';
import { forgetOldest } from '#domain/lru.ts';
import type { KnownSilences, SilencePorts } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type CiMaintenance, maintainedUntil } from '#domain/topology/maintenance.ts';
import { compileSilences, findReaches, needsTopology, type Reaches } from './compile.ts';
import { currentSilences } from './silence-store.ts';

/** True if the tenant's settings suppress events below a CI in maintenance, too. */
const maintenanceReaches = async (records: RecordStore, tenant: string): Promise<boolean> =>
  (await records.get<Partial<Lifecycle>>(tenant, 'settings', 'lifecycle'))?.body.maintenanceBelow ?? false;

/** Maximum delay of a change in another process; ms. */
const TTL_MS = 1_000;
const MAX_TENANTS = 1_000;
/** While the topology changes constantly, relationships are followed for this fraction of the time. */
const RESTED = 20;

interface SilenceRules {
  readonly revision: number;
  readonly rules: readonly SilenceRule[];
  readonly maintenanceBelow: boolean;
}
interface TenantSilences extends SilenceRules {
  readonly compiled: CompiledSilences;
  readonly reaches: Reaches;
  readonly loadedAt: number;
  /** Relationships are not followed again before, ms. */
  readonly restUntil: number;
  /** Changes of the topology that it has seen. */
  readonly seen: number;
}

const NO_REACHES: Reaches = {
  own: new Map(),
  below: new Map(),
  maintained: [],
  validUntil: Number.POSITIVE_INFINITY,
};

const load = async ({ records }: SilencePorts, tenant: string, now: number): Promise<SilenceRules> => {
  const [{ revision, silences }, maintenanceBelow] = await Promise.all([
    currentSilences(records, tenant),
    maintenanceReaches(records, tenant),
  ]);
  return { revision, rules: silences.filter(({ endsAt }) => endsAt > now), maintenanceBelow };
};

const isSame = (one: SilenceRules, other: SilenceRules): boolean =>
  one.revision === other.revision && one.maintenanceBelow === other.maintenanceBelow;

/** Counts the changes of the topology, by tenant and of all together. */
const openChanges = () => {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    note(tenant: string | null): void {
      if (tenant === null) all += 1;
      else counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    },
    of: (tenant: string): number => all + (counts.get(tenant) ?? 0),
  };
};

export const openSilences = (): KnownSilences => {
  const tenants = new Map<string, TenantSilences>();
  const loading = new Map<string, Promise<CompiledSilences>>();
  const changes = openChanges();
  /** Raised by `forget`: earlier reads are not cached. */
  const generations = new Map<string, number>();

  const reachesOf = async (ports: SilencePorts, tenant: string, loaded: SilenceRules, now: number) => {
    const seen = changes.of(tenant);
    if (!needsTopology(loaded)) return { reaches: NO_REACHES, restUntil: 0, seen };
    const begun = ports.clock.now();
    const reaches = await findReaches(ports, { tenant, ...loaded, now });
    const ended = ports.clock.now();
    return { reaches, restUntil: ended + RESTED * (ended - begun), seen };
  };
  const isReachedStill = ({ reaches, seen, restUntil }: TenantSilences, tenant: string, now: number): boolean =>
    (seen === changes.of(tenant) && now < reaches.validUntil) || now < restUntil;

  const keep = (tenant: string, known: TenantSilences): void => {
    tenants.delete(tenant);
    if (tenants.size >= MAX_TENANTS) forgetOldest(tenants);
    tenants.set(tenant, known);
  };
  const refresh = async (ports: SilencePorts, tenant: string, now: number): Promise<CompiledSilences> => {
    const generation = generations.get(tenant);
    const before = tenants.get(tenant);
    const loaded = before && now < before.loadedAt + TTL_MS ? before : await load(ports, tenant, now);
    const loadedAt = loaded === before ? before.loadedAt : now;
    let known: TenantSilences;
    if (before && isSame(before, loaded) && isReachedStill(before, tenant, now)) known = { ...before, loadedAt };
    else {
      const found = await reachesOf(ports, tenant, loaded, now);
      known = { ...loaded, ...found, loadedAt, compiled: compileSilences(loaded.rules, found.reaches) };
    }
    if (generations.get(tenant) === generation) keep(tenant, known);
    return known.compiled;
  };
  /** One at a time per tenant; while a store is down the last known state counts. */
  const refreshed = (ports: SilencePorts, tenant: string, now: number): Promise<CompiledSilences> => {
    const running = loading.get(tenant);
    if (running !== undefined) return running;
    const last = tenants.get(tenant);
    const made = refresh(ports, tenant, now)
      .catch((): CompiledSilences => last?.compiled ?? NO_SILENCES)
      .finally(() => {
        if (loading.get(tenant) === made) loading.delete(tenant);
      });
    loading.set(tenant, made);
    return made;
  };
  return {
    held: new Map(),
    async of(ports, tenant, now) {
      const known = tenants.get(tenant);
      const isFresh = known !== undefined && now < known.loadedAt + TTL_MS && now >= known.loadedAt;
      if (isFresh && isReachedStill(known, tenant, now)) return known.compiled;
      return refreshed(ports, tenant, now);
    },
    forget(tenant) {
      generations.set(tenant, (generations.get(tenant) ?? 0) + 1);
      tenants.delete(tenant);
      loading.delete(tenant);
    },
    topologyChanged: changes.note,
  };
};

/** Silences and maintenance that the job looks after in one process. */
const MAX_HELD = 10_000;

export const heldKey = (tenant: string, by: string): string => `${tenant}\n${by}`;

export interface Judging {
  readonly tenant: string;
  readonly compiled: CompiledSilences;
  readonly held: KnownSilences['held'];
  /** Time of receipt, ms. */
  readonly now: number;
}

/**
 * The decision travels with the occurrence, so that a replay, another process and another batch size have the same
 * result.
 */
export function silencedOccurrence(
  occurrence: Occurrence,
  maintenance: CiMaintenance | undefined,
  { tenant, compiled, held, now }: Judging,
): Occurrence {
  const isSilenceless = compiled.silences.length === 0 && compiled.maintained.length === 0;
  if (isSilenceless && maintenance === undefined) return occurrence;
  const ownUntil = maintenance === undefined ? null : maintainedUntil(maintenance, now);
  const silencing = suppressionOf(compiled, occurrence, ownUntil, now);
  if (silencing === null) return occurrence;
  const { by } = silencing;
  if (held.size < MAX_HELD) held.set(heldKey(tenant, by), { tenant, by });
  return { ...occurrence, silencing };
}
