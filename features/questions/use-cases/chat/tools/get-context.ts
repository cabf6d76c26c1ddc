import { CRITICALITIES, type Criticality } from '#domain/event/business-impact.ts';
import { healthOf } from '#domain/services/health.ts';
import { topicsOf } from '#features/questions/rules/chat/conversation.ts';
import type { AffectedRow, ContextRow } from '#features/questions/rules/chat/tools.ts';
import { lossesOn } from '#features/services/use-cases/assess.ts';
import { iso } from '#schemas/http/time.ts';
import type { ChatAsking } from './context.ts';
import type { ToolResult } from './tool-result.ts';

const UNRESOLVED = ['open', 'acknowledged'] as const;
const COUNTED = { sort: 'timestamp', order: 'desc', limit: 1 } as const;

/** Services whose health is looked at, those that matter most first; and how many are named. */
const [LOOKED_AT, NAMED] = [50, 10];

async function affectedServices({ tenant, ports, caller, receivedAt }: ChatAsking): Promise<ContextRow['affected']> {
  if (!caller.permissions.has('services.read') || !caller.permissions.has('events.read')) return null;
  const rank = (criticality: Criticality): number => CRITICALITIES.indexOf(criticality);
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const services = [...new Set([...byCi.values()].flat())]
    .sort((a, b) => rank(a.criticality) - rank(b.criticality))
    .slice(0, LOOKED_AT);
  const losses = await lossesOn(ports, tenant, services);
  const affected = services.flatMap(({ id: serviceId, name, criticality, components }): AffectedRow[] => {
    const { status, score } = healthOf(components, losses);
    return status === 'degraded' || status === 'critical' ? [{ serviceId, name, criticality, status, score }] : [];
  });
  return { total: affected.length, worst: affected.sort((a, b) => a.score - b.score).slice(0, NAMED) };
}

/** Subject of the conversation and state of the estate, as far as the caller may see them. */
export async function getContext(asking: ChatAsking): Promise<ToolResult<'get-context'>> {
  const { tenant, ports, caller, current, receivedAt, conversation } = asking;
  const open = async (ciId?: string): Promise<number | null> => {
    if (!caller.permissions.has('events.read')) return null;
    const filter = { statuses: UNRESOLVED, ...(ciId !== undefined && { ciId }) };
    return (await ports.events.find(tenant, filter, COUNTED)).total;
  };
  const [cis, allOpenEvents, openEvents, affected] = await Promise.all([
    caller.permissions.has('cmdb.read') ? ports.counts.cis(tenant) : null,
    open(),
    current === null ? null : open(current.id),
    affectedServices(asking),
  ]);
  const row: ContextRow = {
    currentCI: current && { ciId: current.id, name: current.name, type: current.type },
    openEvents,
    cis,
    allOpenEvents,
    affected,
    time: iso(receivedAt),
    topics: topicsOf(conversation),
  };
  return { rows: [row], total: 1 };
}
