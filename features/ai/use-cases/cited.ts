import { findService } from '#application/services/service-store.ts';
import type { CitationKind, Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { parseEventId } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

type Exists = (ports: Ports, tenant: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** One question per id; a pack has at most 40. */
const each =
  (isThere: (ports: Ports, tenant: string, id: string) => Promise<boolean>): Exists =>
  async (ports, tenant, ids) => {
    const found = await Promise.all(ids.map(async (id) => ((await isThere(ports, tenant, id)) ? [id] : [])));
    return new Set(found.flat());
  };

const events: Exists = async ({ events: store }, tenant, ids) => {
  const known = new Set(
    (
      await store.getMany(
        tenant,
        ids.flatMap((id) => parseEventId(id) ?? []),
      )
    ).map(({ id }) => id),
  );
  return new Set(ids.filter((id) => known.has(parseEventId(id) ?? '')));
};
const cis: Exists = async ({ topology }, tenant, ids) =>
  new Set((await topology.getCis(tenant, ids)).map(({ id }) => id));

const service = async ({ records }: Ports, tenant: string, id: string): Promise<boolean> => {
  try {
    await findService(records, tenant, id);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not-found') return false;
    throw error;
  }
};

/** Queries and records are counts and documents of the rules themselves. */
const EXISTS: Readonly<Partial<Record<CitationKind, Exists>>> = {
  event: events,
  ci: cis,
  relationship: each(async ({ topology }, tenant, id) => (await topology.getRelationship(tenant, id)) !== null),
  group: each(async ({ correlation }, tenant, id) => (await correlation.group(tenant, id)) !== null),
  service: each(service),
};

/** The claims whose items are all still there, read once more within the tenant. */
export const claimsThatHold = async (
  ports: Ports,
  tenant: string,
  claims: readonly Claim[],
  pack: EvidencePack,
): Promise<Claim[]> => {
  const cited = pack.filter(({ alias }) => claims.some(({ refs }) => refs.includes(alias)));
  const gone = new Set<string>();
  const kinds = [...new Set(cited.map(({ kind }) => kind))];
  await Promise.all(
    kinds.map(async (kind) => {
      const items = cited.filter((item) => item.kind === kind);
      const there = await EXISTS[kind]?.(ports, tenant, [...new Set(items.map(({ id }) => id))]);
      for (const { alias, id } of items) if (there !== undefined && !there.has(id)) gone.add(alias);
    }),
  );
  return claims.filter(({ refs }) => !refs.some((ref) => gone.has(ref)));
};
