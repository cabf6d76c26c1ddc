import type { TenantContext } from '#application/access/context.ts';
import type { EventAction } from '#application/events/event-action.ts';
import { ownEnded, ownRaised } from '#application/events/own-event.ts';
import { receive } from '#application/events/receive.ts';
import type { HeldEndings } from '#features/topology-sources/rules/guard.ts';

const actionOf = (name: string, held: HeldEndings | null): EventAction => {
  const sourceId = `topology-source/${name}`;
  if (held === null) return ownEnded(sourceId);
  const { cis, ofCis, edges, ofEdges } = held;
  return ownRaised(sourceId, {
    severity: 'warning',
    title: `Topology source ${name} no longer reports many of its CIs or relationships`,
    description: `${cis} of ${ofCis} CIs and ${edges} of ${ofEdges} relationships would be retired. Nothing is retired until the run is confirmed.`,
  });
};

/** Opens an event while endings wait for confirmation, and resolves it afterwards. */
export async function tellHeld(
  { ports, tenant }: TenantContext,
  name: string,
  { before, after }: { readonly before: HeldEndings | null; readonly after: HeldEndings | null },
): Promise<void> {
  if ((before === null) === (after === null)) return;
  await receive(ports, [actionOf(name, after)], { tenant, receivedAt: ports.clock.now(), idempotencyKey: null });
}
