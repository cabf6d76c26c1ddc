import { topicsOf } from '#domain/chat/conversation.ts';
import type { ContextRow } from '#domain/chat/tools.ts';
import { iso } from '#schemas/http/time.ts';
import type { ChatAsking } from './context.ts';
import type { ToolResult } from './tool-result.ts';

const UNRESOLVED = ['open', 'acknowledged'] as const;
const COUNTED = { sort: 'timestamp', order: 'desc', limit: 1 } as const;

/** What the conversation is about and how things are, as far as the caller may see it. */
export async function getContext(asking: ChatAsking): Promise<ToolResult<'get-context'>> {
  const { tenant, ports, caller, current, receivedAt, conversation } = asking;
  const open = async (ciId?: string): Promise<number | null> => {
    if (!caller.permissions.has('events.read')) return null;
    const filter = { statuses: UNRESOLVED, ...(ciId !== undefined && { ciId }) };
    return (await ports.events.find(tenant, filter, COUNTED)).total;
  };
  const [cis, allOpenEvents, openEvents] = await Promise.all([
    caller.permissions.has('cmdb.read') ? ports.counts.cis(tenant) : null,
    open(),
    current === null ? null : open(current.id),
  ]);
  const row: ContextRow = {
    currentCI: current && { ciId: current.id, name: current.name, type: current.type },
    ...{ openEvents, cis, allOpenEvents, time: iso(receivedAt), topics: topicsOf(conversation) },
  };
  return { rows: [row], total: 1 };
}
