import type { QueryContext } from '#application/access/context.ts';
import type { DownCi, DownNow } from '#application/services/down-now.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type Ci, type Impact, type Relationship, redundancyOf } from '#domain/topology/topology.ts';
import type { ChangeState, Conflict, Partner } from '#features/change-risk/rules/change-picture.ts';

const MAX_IMPACT = 10_000;
const MAX_PARTNERS = 20;

type KnownDown = ReadonlyMap<string, DownCi>;

/** CIs and services that fail with the CI while others are down. */
interface Loss {
  readonly impact: Impact;
  readonly services: readonly ServiceHit[];
  readonly partners: readonly string[];
}

/** Components that are down, of services that would live on if they were not. */
function partnersOf(services: readonly ServiceHit[], whole: readonly ServiceHit[], down: KnownDown): string[] {
  const living = new Set(whole.flatMap(({ service, impact }) => (impact === 'full_outage' ? [] : [service.id])));
  return services
    .filter(({ service, impact }) => impact === 'full_outage' && living.has(service.id))
    .flatMap(({ service: { components }, components: failed }) => {
      const groups = new Set(
        components.flatMap(({ ciId, redundancy }) => (redundancy && failed.includes(ciId) ? [redundancy.group] : [])),
      );
      const lost = components.filter(
        ({ ciId, redundancy }) => redundancy && groups.has(redundancy.group) && down.has(ciId),
      );
      return lost.map(({ ciId }) => ciId);
    });
}

/** The loss of a CI while these are down. */
export async function lossOf(asking: QueryContext, { id }: Pick<Ci, 'id'>, down: KnownDown): Promise<Loss> {
  const { tenant, ports } = asking;
  const impact = await ports.graph.impact(tenant, [id], { limit: MAX_IMPACT, down: [...down.keys()] });
  const failed = new Set([id, ...impact.impacted.map(({ ci }) => ci)]);
  const [services, whole] = await Promise.all([servicesHit(asking, failed, down), servicesHit(asking, failed)]);
  const partners = new Set([...(impact.partnersDown ?? []).map(({ ci }) => ci), ...partnersOf(services, whole, down)]);
  return { impact, services, partners: [...partners].filter((one) => one !== id) };
}

export function withChanges(down: KnownDown, conflicts: readonly Conflict[], { id }: Pick<Ci, 'id'>): KnownDown {
  const changed = conflicts.filter(({ ciId }) => ciId !== id && !down.has(ciId));
  return new Map([
    ...down,
    ...changed.map(({ ciId }): [string, DownCi] => [ciId, { ciId, why: 'change', isStopped: false }]),
  ]);
}

/** CIs that are down of the redundancy groups of which the CI has no more than it requires. */
function withoutSpare(needs: readonly Relationship[], down: KnownDown): string[] {
  const groups = new Map<string, { required: number; targets: string[] }>();
  for (const need of needs) {
    const redundancy = redundancyOf(need);
    if (redundancy === null) continue;
    const known = groups.get(redundancy.group) ?? { required: 1, targets: [] };
    groups.set(redundancy.group, {
      required: Math.max(known.required, redundancy.required),
      targets: [...known.targets, need.target],
    });
  }
  return [...groups.values()].flatMap(({ required, targets }) => {
    const lost = targets.filter((id) => down.has(id));
    return targets.length - lost.length <= Math.min(required, targets.length) ? lost : [];
  });
}

async function named({ tenant, ports }: QueryContext, ids: readonly string[], down: KnownDown): Promise<Partner[]> {
  const wanted = [...new Set(ids)].slice(0, MAX_PARTNERS);
  if (wanted.length === 0) return [];
  const cis = await ports.topology.getCis(tenant, wanted);
  return cis.map(({ id, name, type }) => {
    const known = down.get(id);
    return { id, name, type, why: known?.why ?? 'event', ...(known?.event && { event: known.event }) };
  });
}

interface StateQuery {
  readonly ci: Ci;
  /** Its own dependencies. */
  readonly needs: readonly Relationship[];
  readonly loss: Loss;
  readonly now: DownNow;
}

export async function stateOf(asking: QueryContext, { ci, needs, loss, now }: StateQuery): Promise<ChangeState> {
  const { down, doubtful } = now;
  const both = new Map([...doubtful, ...down]);
  const worst = doubtful.size === 0 ? loss : await lossOf(asking, ci, both);
  const inDoubt = worst.partners.filter((id) => doubtful.has(id) && !down.has(id));
  const [partnersDown, uncertain, lastOnes] = await Promise.all([
    named(asking, loss.partners, down),
    named(asking, inDoubt, doubtful),
    named(asking, withoutSpare(needs, down), down),
  ]);
  return { partnersDown, doubtful: uncertain, lastOnes, isStopped: down.get(ci.id)?.isStopped ?? false };
}
