import { membersOf } from '#application/events/group-membership.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ownRunbookOf, runbookFor } from '#features/analysis/rules/runbooks.ts';

/** The runbook for the event that leads a group; null: none. Throws Fault `not-found`. */
export const runbookOfGroup = async (ports: Ports, tenant: string, id: string): Promise<string | null> => {
  const row = await findGroup(ports, tenant, id);
  const leading = leadingEventOf(row);
  const named = leading === null ? null : await ports.events.get(tenant, leading);
  const event = named ?? (await membersOf(ports, tenant, row.group, 1))[0];
  if (event === undefined) return null;
  const [ci] = event.ci === null ? [] : await ports.topology.getCis(tenant, [event.ci.id]);
  const own = ci === undefined ? null : ownRunbookOf(ci);
  return own ?? runbookFor(event, (await aiSettings(ports.records, tenant)).runbooks);
};
