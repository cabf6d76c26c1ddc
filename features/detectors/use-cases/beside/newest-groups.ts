import type { TimedContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';

/** Range for recurring incidents, regardless of the requested one; the newest are checked. */
export const SPAN_DAYS = 90;
export const SPAN_MS = SPAN_DAYS * 86_400_000;
const MAX_GROUPS = 2_000;
const PAGE = 500;

/** The newest groups that began in the last 90 days. */
export async function newestGroups({ tenant, ports, receivedAt }: TimedContext) {
  const from = receivedAt - SPAN_MS;
  const groups: Group[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = { sort: 'first', order: 'desc', limit: PAGE, ...(cursor !== null && { cursor }) } as const;
    const found: Awaited<ReturnType<typeof ports.correlation.groups>> = await ports.correlation.groups(
      tenant,
      { from, to: receivedAt },
      page,
    );
    groups.push(...found.items.filter(({ first }) => first >= from));
    cursor = found.nextCursor;
    const isPast = (found.items.at(-1)?.first ?? 0) < from;
    if (cursor === null || isPast) return { groups, truncated: false };
    if (groups.length >= MAX_GROUPS) return { groups, truncated: true };
  }
}
