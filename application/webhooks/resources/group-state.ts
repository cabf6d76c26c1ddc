import type { Group } from '#domain/correlation/records.ts';
import type { Status } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Of an incident as people see it: suppressed members count for nothing. */
export type IncidentState = 'open' | 'acknowledged' | 'resolved';

/** Open while a member is, acknowledged while one is that nobody left open, else resolved. */
export const groupState = async (
  { events }: Pick<Ports, 'events'>,
  tenant: string,
  { id, aliases }: Group,
): Promise<IncidentState> => {
  const has = async (status: Status): Promise<boolean> => {
    const filter = { correlationIds: [id, ...aliases], statuses: [status] };
    const { items } = await events.find(tenant, filter, { sort: 'timestamp', order: 'desc', limit: 1 });
    return items.length > 0;
  };
  if (await has('open')) return 'open';
  return (await has('acknowledged')) ? 'acknowledged' : 'resolved';
};
