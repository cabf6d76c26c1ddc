import { entriesOf } from '#application/groups/entries.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import { pagesOf } from '#application/records/list-records.ts';
import { type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import { titledOn } from '#domain/event/event-words.ts';
import type { PartRequest } from '#domain/page.ts';
import { clockTime, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import { given } from '#features/questions/rules/query.ts';
import { ACTION_KINDS, INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { everyPerson, peopleNamed } from '#features/questions/use-cases/queries/people.ts';
import { iso } from '#schemas/http/time.ts';
import { type Asking, item, listOf, type QuestionTool, queryOf, rangeOf } from '../tool.ts';
import { ciOf } from './cis.ts';

type ActionKind = (typeof ACTION_KINDS)[number];
export interface ActionRow {
  /** Group ID, or the ID of an event in none. */
  readonly of: string;
  readonly at: string;
  readonly by: string;
  readonly kind: ActionKind;
  readonly text: string;
  /** Title and place of an event that was acted on alone. */
  readonly subject?: string;
}

const KINDS: readonly string[] = ACTION_KINDS;
const DAY_MS = 86_400_000;
/** Page of a group, or of an event in none. */
const courseHref = (of: string): string =>
  parseEventId(of) === null ? `/api/events/groups/${of}/timeline` : `/api/events/${of}`;
/** Groups and events that are looked at where none is named. */
const MOST = 200;
const CHUNK = 500;
const PAGES = 8;

async function onGroup({ tenant, ports, receivedAt: now }: Asking, id: string): Promise<ActionRow[]> {
  const { group } = await findGroup(ports, tenant, id);
  const { moments } = await timelineOf(ports, tenant, group, { order: 'asc', quietMs: 0, now });
  const own = moments.filter(({ by, kind }) => by !== undefined && KINDS.includes(kind));
  return own.map(({ at, by, kind, text }) => {
    return { of: group.id, at: iso(at), by: by?.name ?? '', kind: kind as ActionKind, text };
  });
}

const onEvent = ({ id, correlationId, title, ci, hostname, history }: Event): ActionRow[] =>
  history.flatMap(({ at, by, from, to, notes }) => {
    if (by === null) return [];
    const isNote = from === to;
    const subject = titledOn(title, ci?.name ?? hostname);
    const text = isNote ? (notes ?? '') : `${subject}: ${from} → ${to}${notes ? ` (${notes})` : ''}`;
    const of = correlationId ?? eventIdOf(id);
    return [{ of, at: iso(at), by: by.name, kind: isNote ? 'note' : 'status', text, subject }];
  });

async function onNamed(asking: Asking, named: string): Promise<ActionRow[]> {
  const eventId = parseEventId(named);
  const event = eventId === null ? null : await asking.ports.events.get(asking.tenant, eventId);
  if (eventId !== null && event === null) return [];
  const group = event === null ? named : event.correlationId;
  return group === null ? onEvent(event as Event) : onGroup(asking, group);
}

async function onAny({ tenant, ports }: Asking, ciId: string | undefined, from: number): Promise<ActionRow[]> {
  const groups = { sort: 'last', order: 'desc', limit: MOST } as const;
  const { items } = await ports.groupRows.find(tenant, given({ from, ci: ciId }), groups);
  const entries = (await Promise.all(items.map(({ group }) => entriesOf(ports, tenant, group)))).flat();
  const own = entries.map(({ group, at, by, kind, text }) => ({ of: group, at: iso(at), by: by.name, kind, text }));
  const told = new Set(own.map(({ at, by }) => `${at} ${by}`));
  const rows: ActionRow[] = [...own];
  const read = (page: PartRequest) =>
    ports.events.part(tenant, given({ from, ciId }), { sort: 'lastOccurrence', order: 'desc', ...page });
  let pages = 0;
  for await (const events of pagesOf(CHUNK, read)) {
    rows.push(...events.flatMap(onEvent).filter(({ at, by }) => !told.has(`${at} ${by}`)));
    if (++pages === PAGES) break;
  }
  return rows;
}

export const whoActed: QuestionTool<ParamsOf<typeof INPUTS.actions>, ActionRow> = {
  name: 'who',
  title: 'List user actions',
  description:
    'Users who acknowledged, assigned, resolved, judged or wrote notes on a group, a CI or anything, with time and text.',
  input: INPUTS.actions,
  permission: 'events.read',
  async run(asking, { group, ci: named, by, kind, time_range }) {
    const ci = await ciOf(asking, 'ci', named);
    const asked = rangeOf(asking, time_range);
    const now = asking.receivedAt;
    const range = asked ?? { from: group === undefined ? now - 7 * DAY_MS : 0, to: now + 1 };
    const kinds = listOf(kind);
    const names = by === undefined ? null : peopleNamed(await everyPerson(asking), by).map(({ name }) => name);
    const all = await (group === undefined ? onAny(asking, ci?.id, range.from - 7 * DAY_MS) : onNamed(asking, group));
    const fits = (row: ActionRow): boolean =>
      Date.parse(row.at) >= range.from &&
      Date.parse(row.at) <= range.to &&
      (kinds?.includes(row.kind) ?? true) &&
      (names?.includes(row.by) ?? true);
    const rows = all.filter(fits).toSorted((a, b) => a.at.localeCompare(b.at));
    return { rows, total: rows.length, ...(asked !== null && { range: asked }) };
  },
  items: ({ of, at, by, kind, text }) => {
    const action = factsOf({ action: kind, at });
    const row = item('query', `${of}:${at}`, `${kind} by ${by}`, freeTexts({ by }), action, freeTexts({ text }));
    return [{ ...row, href: courseHref(of) }];
  },
  href: ({ group, ci }) => (group === undefined ? `/api/events/groups${queryOf({ ci })}` : courseHref(group)),
  noun: 'action',
  tell: ({ at, by, kind, text }) => `${clockTime(Date.parse(at))}, ${by}, ${kind}: "${text}".`,
  none: 'No user action recorded.',
};
