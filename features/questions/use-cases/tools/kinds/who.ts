import { findGroup } from '#application/groups/find-group.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import { eventIdOf, parseEventId } from '#domain/event/event.ts';
import { clockTime, freeText } from '#features/ai/rules/findings.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import type { Asking, QuestionTool } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';

export interface ActionRow {
  /** Group ID, or the ID of an event in none. */
  readonly of: string;
  readonly at: string;
  readonly by: string;
  readonly kind: 'note' | 'assigned' | 'verdict' | 'status' | 'split' | 'merged';
  readonly text: string;
}

const KINDS: readonly string[] = [
  'note',
  'assigned',
  'verdict',
  'status',
  'split',
  'merged',
] satisfies ActionRow['kind'][];

async function onGroup({ tenant, ports, receivedAt: now }: Asking, id: string): Promise<ActionRow[]> {
  const { group } = await findGroup(ports, tenant, id);
  const { moments } = await timelineOf(ports, tenant, group, { order: 'asc', quietMs: 0, now });
  return moments.flatMap(({ at, by, kind, text }) =>
    by === undefined || !KINDS.includes(kind)
      ? []
      : [{ of: group.id, at: iso(at), by: by.name, kind: kind as ActionRow['kind'], text }],
  );
}

async function onEvent(asking: Asking, id: string): Promise<ActionRow[]> {
  const event = await asking.ports.events.get(asking.tenant, id);
  if (event === null) return [];
  if (event.correlationId !== null) return onGroup(asking, event.correlationId);
  return event.history.flatMap(({ at, by, from, to, notes }) => {
    if (by === null) return [];
    const text = from === to ? (notes ?? '') : `${event.title}: ${from} → ${to}${notes ? ` (${notes})` : ''}`;
    return [
      {
        of: eventIdOf(id),
        at: iso(at),
        by: by.name,
        kind: from === to ? ('note' as const) : ('status' as const),
        text,
      },
    ];
  });
}

export const whoActed: QuestionTool<ParamsOf<typeof INPUTS.group>, ActionRow> = {
  name: 'who',
  title: 'List user actions on a group',
  description:
    'Users who acknowledged, assigned, resolved, judged or wrote on a group, with time and text, oldest first.',
  input: INPUTS.group,
  permission: 'events.read',
  async run(asking, { group }) {
    const eventId = parseEventId(group);
    const rows = eventId === null ? await onGroup(asking, group) : await onEvent(asking, eventId);
    return { rows, total: rows.length };
  },
  items: ({ of, at, by, kind, text }) => [
    {
      kind: 'query',
      id: `${of}:${at}`,
      label: `${kind} by ${by}`,
      facts: [freeText('by', by), { name: 'action', value: kind }, { name: 'at', value: at }, freeText('text', text)],
      href: parseEventId(of) === null ? `/api/events/groups/${of}/timeline` : `/api/events/${of}`,
    },
  ],
  href: ({ group }) => (parseEventId(group) === null ? `/api/events/groups/${group}/timeline` : `/api/events/${group}`),
  noun: 'action',
  tell: ({ at, by, kind, text }) => `${clockTime(Date.parse(at))}, ${by}, ${kind}: "${text}".`,
  none: 'No user action recorded.',
};
