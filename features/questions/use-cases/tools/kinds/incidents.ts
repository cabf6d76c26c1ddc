import { wholeIn, wholesOf } from '#application/groups/cause-wholes.ts';
import { entriesOf } from '#application/groups/entries.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { findRows, isLone, type ListedRow } from '#application/groups/listing/list-rows.ts';
import { hitsOfRows } from '#application/groups/services-of-causes.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { countOn, type GroupStatus, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Candidate, Group } from '#domain/correlation/records.ts';
import { clueWords } from '#domain/correlation/root-cause/clue-words.ts';
import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { type Event, eventIdOf, parseEventId, type Severity } from '#domain/event/event.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { clockTime, counted, enumeration, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { given } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { durationsOf } from '#features/questions/use-cases/queries/count-incidents.ts';
import { assigneeOf } from '#features/questions/use-cases/queries/people.ts';
import { iso } from '#schemas/http/time.ts';
import { type Asking, item, listOf, type QuestionTool, queryOf, rangeOf } from '../tool.ts';
import { ciOf } from './cis.ts';
import { beginOf, careOf, placeOf, spanOf } from './events.ts';

/** A root cause, or a candidate. */
export interface CauseRow {
  readonly eventId: string;
  readonly title: string;
  readonly ci: CiName | null;
  /** Name of the CI, or the hostname without one. */
  readonly place: string | null;
  readonly at: string;
  /** 0 to 1. */
  readonly confidence: number;
}
export interface ToolIncidentRow {
  /** Group id, or EVT id of an event in no group. */
  readonly id: string;
  readonly state: GroupStatus;
  readonly severity: Severity | null;
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
  readonly events: number;
  /** Number of events that are open or acknowledged. */
  readonly active: number;
  readonly cause: CauseRow | null;
  /** End of the root cause's event, while the group lasts. */
  readonly causeOver: string | null;
  readonly rivals: readonly CauseRow[];
  /** Set by a user. */
  readonly verdict: {
    readonly by: string;
    readonly cause: 'right' | 'wrong' | 'unknown';
    readonly note: string | null;
  } | null;
  /** The scored root cause, if a user set another one. */
  readonly scored: CauseRow | null;
  readonly assignee: string | null;
  readonly acknowledgedBy: string | null;
  readonly cis: readonly string[];
  /** CIs of active events. */
  readonly activeCis: readonly string[];
  readonly services: readonly { readonly id: string; readonly name: string }[];
}

const MOST = 60;
const MOST_OF_TIME = 200;
const RIVALS = 3;
/** Confidence from which a root cause is probable. */
const PROBABLE = 0.4;

const causeRow = (event: Event, confidence: number, whole?: CiName): CauseRow => ({
  eventId: eventIdOf(event.id),
  title: event.title,
  ci: whole ?? event.ci,
  place: whole?.name ?? placeOf(event),
  at: beginOf(event),
  confidence,
});

const loneRow = (event: Event): Omit<ToolIncidentRow, 'services'> => {
  const cis = event.ci === null ? [] : [event.ci.id];
  return {
    id: eventIdOf(event.id),
    state: event.status === 'open' ? 'active' : event.status === 'acknowledged' ? 'acknowledged' : 'resolved',
    severity: event.severity,
    ...spanOf(event),
    events: 1,
    active: Number(isOn(event.status)),
    cause: causeRow(event, 1),
    causeOver: null,
    rivals: [],
    verdict: null,
    scored: null,
    ...careOf(event),
    cis,
    activeCis: isOn(event.status) ? cis : [],
  };
};

interface Known {
  readonly events: ReadonlyMap<string, Event>;
  readonly wholes: ReadonlyMap<string, CiName>;
}

function groupRow(
  { group, state, care }: ListedGroup,
  { events, wholes }: Known,
  span: number | undefined,
): Omit<ToolIncidentRow, 'services'> {
  const { candidate, first, last } = group;
  const { verdict } = care;
  const own = events.get(candidate?.eventId ?? '');
  const scored = own && candidate ? causeRow(own, candidate.confidence, wholes.get(wholeIn(candidate) ?? '')) : null;
  const said = events.get(verdict?.rootEventId ?? '');
  const isOther = verdict?.cause === 'wrong';
  const root = isOther ? said : own;
  const isOver = root !== undefined && !isOn(root.status) && state.status !== 'resolved' && span === undefined;
  const end = state.status === 'resolved' ? iso(Math.max(first, last)) : null;
  return {
    id: group.id,
    // A deployment that nothing ends is no fault that is on.
    state: span === undefined ? state.status : 'resolved',
    severity: state.severity,
    from: iso(first),
    to: span === undefined ? end : iso(first + span),
    events: group.size,
    active: countOn(state.counts),
    causeOver: isOver ? iso(root.resolvedAt ?? root.lastOccurrence) : null,
    cause: isOther ? (said ? causeRow(said, 1) : null) : scored,
    rivals: rivalsOf(candidate).flatMap(({ eventId, score }) => {
      const event = events.get(eventId);
      return event === undefined ? [] : [causeRow(event, score)];
    }),
    verdict: verdict ? { by: verdict.by.name, cause: verdict.cause, note: verdict.note ?? null } : null,
    scored: isOther ? scored : null,
    assignee: assigneeName(care),
    acknowledgedBy: care.acknowledged?.by?.name ?? null,
    cis: state.cis.all,
    activeCis: state.cis.on,
  };
}
const rivalsOf = (candidate: Candidate | null) => (candidate?.alternatives ?? []).slice(0, RIVALS);

async function knownOf({ tenant, ports }: Asking, listed: readonly ListedGroup[]): Promise<Known> {
  const ids = listed.flatMap(({ group: { candidate }, care: { verdict } }) =>
    [candidate?.eventId, ...rivalsOf(candidate).map(({ eventId }) => eventId), verdict?.rootEventId].flatMap(
      (id) => id ?? [],
    ),
  );
  const groups = listed.map(({ group }) => group);
  const [events, wholes] = await Promise.all([
    ports.events.getMany(tenant, [...new Set(ids)]),
    wholesOf(ports, tenant, groups),
  ]);
  return { events: new Map(events.map((event) => [event.id, event])), wholes };
}

async function rowsOf(asking: Asking, listed: readonly ListedRow[]): Promise<ToolIncidentRow[]> {
  const rows = listed.filter((row): row is ListedGroup => !isLone(row));
  const known = await knownOf(asking, rows);
  const shown = listed.filter((row) => !(isLone(row) && (isChange(row) || row.supersededBy !== undefined)));
  const groups = rows.map(({ group }) => group);
  const spans = await durationsOf(asking, groups);
  const maySee = asking.caller.permissions.has('services.read');
  const hits = maySee ? await hitsOfRows(asking, shown, () => undefined) : null;
  return shown.map((one) => {
    const row = isLone(one) ? loneRow(one) : groupRow(one, known, spans.get(one.group.id));
    const ever = hits?.get(isLone(one) ? one.id : one.group.id)?.ever ?? [];
    return { ...row, services: ever.map(({ service: { id, name } }) => ({ id, name })) };
  });
}

const incidentItem = (row: ToolIncidentRow): NewItem => {
  const { id, state, severity, events, from, to, cause, assignee, acknowledgedBy, services } = row;
  const texts = freeTexts({
    assignee: to === null ? (assignee ?? 'none') : null,
    'acknowledged by': acknowledgedBy,
    'affected services': services.map(({ name }) => name).join(', '),
  });
  const numbers = factsOf({ state, severity, events, began: from, ended: to });
  return item(parseEventId(id) === null ? 'group' : 'event', id, cause?.title ?? id, numbers, texts);
};
/** Name of the fact that makes an event a cause. */
export const CONFIDENCE = 'confidence in percent';
const causeItem = ({ eventId, title, place, at, confidence }: CauseRow): NewItem => {
  const numbers = factsOf({ began: at, [CONFIDENCE]: Math.round(confidence * 100) });
  return item('event', eventId, title, freeTexts({ title, on: place }), numbers);
};
const itemsOf = (row: ToolIncidentRow): NewItem[] => [
  incidentItem(row),
  ...(row.cause === null ? [] : [causeItem(row.cause)]),
];
const placed = ({ title, place }: Pick<CauseRow, 'title' | 'place'>): string =>
  `"${title}"${place === null ? '' : ` on ${place}`}`;
const causeWords = ({ cause, verdict, events }: ToolIncidentRow): string => {
  if (cause === null) return 'no root cause identified';
  if (verdict !== null && verdict.cause !== 'unknown') return `root cause ${placed(cause)}, judged by ${verdict.by}`;
  if (events === 1) return placed(cause);
  const how = cause.confidence < PROBABLE ? 'possible' : 'probable';
  return `${how} root cause ${placed(cause)} (${percent(cause.confidence)} confidence)`;
};
const timeOf = (at: string): string => clockTime(Date.parse(at));
const tell = (row: ToolIncidentRow): string => {
  const { events, from, to, state, severity, causeOver } = row;
  const when = to === null ? `since ${timeOf(from)}` : `from ${timeOf(from)} to ${timeOf(to)}`;
  const over = causeOver === null ? '' : `, resolved at ${timeOf(causeOver)}`;
  const many = causeOver === null ? counted(events, 'event') : `${row.active} of ${counted(events, 'event')} active`;
  return `${capital(causeWords(row))}${over}: ${severity === null ? '' : `${severity}, `}${state}, ${many}, ${when}.`;
};

const servicesLine = ({ services }: ToolIncidentRow): string[] =>
  services.length === 0 ? [] : [`Affected services: ${services.map(({ name }) => name).join(', ')}`];

const UNRESOLVED = ['active', 'acknowledged'] as const;

export const incidents: QuestionTool<ParamsOf<typeof INPUTS.groups>, ToolIncidentRow> = {
  name: 'list_groups',
  title: 'List groups',
  description:
    'Groups of correlated events and events in none, most urgent first, with probable root cause, verdict and affected services. Without status and time_range: unresolved ones.',
  input: INPUTS.groups,
  permission: 'events.read',
  async run(asking, { ci: named, time_range, status, severity, search, host, service, ...params }) {
    const assignee = await assigneeOf(asking, params.assignee);
    const range = rangeOf(asking, time_range);
    const ci = (await ciOf(asking, 'ci', named))?.id;
    const statuses = listOf(status) ?? (range === null ? UNRESOLVED : undefined);
    const time = { from: range?.from, to: range === null ? undefined : range.to - 1 };
    const filter = given({ search, host, service, assignee, ci, statuses, severities: listOf(severity), ...time });
    const [sort, limit] = range === null ? (['urgency', MOST] as const) : (['first', MOST_OF_TIME] as const);
    const page = { sort, order: 'desc', limit } as const;
    const { items, total } = await findRows(asking.ports, asking.tenant, filter, page, 'warning');
    const rows = await rowsOf(asking, items);
    return { rows, total, ...(range !== null && { range }) };
  },
  items: itemsOf,
  href: ({ ci, search }) => `/api/events/groups${queryOf({ ci, search })}`,
  noun: 'group',
  tell,
  more: servicesLine,
  none: 'No groups found.',
};

export interface FullIncidentRow extends ToolIncidentRow {
  /** Oldest first, at most 200. */
  readonly members: readonly MemberRow[];
  readonly notes: readonly GroupNote[];
  /** Reasons for the scored root cause; empty, as is the timeline, unless all of a row is shown. */
  readonly why: readonly string[];
  readonly timeline: readonly CourseRow[];
}

const memberRow = (event: Event) => ({
  eventId: eventIdOf(event.id),
  title: event.title,
  severity: event.severity,
  place: placeOf(event),
  ciId: event.ci?.id ?? null,
  hostname: event.hostname ?? null,
  ...spanOf(event),
  resolution: event.resolutionNotes ?? noteOf(event),
  resolvedBy: event.resolvedBy?.name ?? null,
});
export type MemberRow = Readonly<ReturnType<typeof memberRow>>;
const memberItem = ({ eventId, title, place, severity, from, to, resolution }: MemberRow): NewItem => {
  const span = factsOf({ severity, began: from, ended: to });
  return item('event', eventId, title, freeTexts({ title, on: place }), span, freeTexts({ resolution }));
};
/** Monitors describe the end in their last message. */
const noteOf = ({ history }: Event): string | null =>
  history.findLast(({ to, notes }) => to === 'resolved' && notes !== undefined)?.notes ?? null;

const listedOf = async ({ ports, tenant }: Asking, id: string): Promise<ListedRow | null> => {
  const eventId = parseEventId(id);
  try {
    if (eventId === null) return await findGroup(ports, tenant, id);
    const event = await ports.events.get(tenant, eventId);
    return event?.correlationId ? await findGroup(ports, tenant, event.correlationId) : event;
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not-found') return null;
    throw error;
  }
};

/** Groups, and events in none, that still exist. */
export const groupsNamed = async (asking: Asking, ids: readonly string[]): Promise<ToolIncidentRow[]> =>
  rowsOf(
    asking,
    (await Promise.all(ids.map((id) => listedOf(asking, id)))).flatMap((row) => row ?? []),
  );

const careLines = ({ assignee, acknowledgedBy, cause, rivals, verdict, scored }: FullIncidentRow): string[] => {
  const isRight = verdict?.cause === 'right';
  const judged = verdict && cause && { ...verdict, isRight, root: placed(cause), scored: scored && placed(scored) };
  const unknown = `${verdict?.by}: ${verdict?.cause === 'wrong' ? 'the scored root cause is wrong' : 'root cause unknown'}`;
  return [
    ...(acknowledgedBy === null ? [] : [`Acknowledged by ${acknowledgedBy}`]),
    assignee === null ? 'Unassigned' : `Assigned to ${assignee}`,
    ...(verdict === null ? [] : [judged === null || verdict.cause === 'unknown' ? unknown : verdictText(judged)]),
    ...rivals.map((one) => `Alternative: ${placed(one)}, score ${one.confidence.toFixed(2)}, ${one.eventId}`),
  ];
};
const whyLines = ({ why, timeline }: FullIncidentRow): string[] => [
  ...(why.length === 0 ? [] : [`Why: ${why.join('; ')}`]),
  ...timeline.map(({ at, text }) => `${timeOf(at)} ${text}`),
];
const memberLines = ({ members, notes }: FullIncidentRow): string[] => [
  ...notes.map(({ at, by, text }) => `Note of ${by}, ${timeOf(at)}: "${text}"`),
  ...members.map(({ eventId, from, severity, resolution, ...one }) => {
    const ended = resolution === null ? '' : `, resolution: "${resolution}"`;
    return `${timeOf(from)} ${severity} ${placed(one)}${ended}, ${eventId}`;
  }),
];

export const incident: QuestionTool<ParamsOf<typeof INPUTS.group>, FullIncidentRow> = {
  name: 'get_group',
  title: 'Get a group',
  description:
    'One group in full: probable root cause with confidence, reasons and alternatives, verdict, members, affected services, timeline, notes and resolution.',
  input: INPUTS.group,
  permission: 'events.read',
  async run(asking, { group: named }) {
    const { tenant, ports } = asking;
    const listed = await listedOf(asking, named);
    const [row] = listed === null ? [] : await rowsOf(asking, [listed]);
    if (listed === null || row === undefined) throw invalid('group', 'no group with this ID');
    const alone = { notes: [], why: [], timeline: [] };
    if (isLone(listed)) return { rows: [{ ...row, members: [memberRow(listed)], ...alone }], total: 1 };
    const { group } = listed;
    const page = { sort: 'timestamp', order: 'asc', limit: 200 } as const;
    const [{ items }, course] = await Promise.all([
      ports.events.part(tenant, { correlationIds: [group.id, ...group.aliases] }, page),
      asking.isToldInFull ? courseOf(asking, group) : { notes: await notesOf(asking, group), timeline: [] },
    ]);
    const members = items.filter(({ supersededBy }) => supersededBy === undefined).map(memberRow);
    const why = asking.isToldInFull ? reasonsFor(group.candidate, items) : [];
    return { rows: [{ ...row, members, why, ...course }], total: 1 };
  },
  items: (row) => [...itemsOf(row), ...row.members.slice(0, 10).map(memberItem)],
  href: ({ group }) => (parseEventId(group) === null ? `/api/events/groups/${group}` : `/api/events/${group}`),
  noun: 'group',
  tell,
  more: (row) => [...careLines(row), ...servicesLine(row), ...whyLines(row), ...memberLines(row)],
  none: 'No group found.',
};

const MOMENTS = 20;
const NAMES = 8;
const CLUES = 3;

/** Returns why the candidate is the probable root cause, one reason per text. */
const reasonsFor = (candidate: Candidate | null, members: readonly Event[]): readonly string[] => {
  if (candidate === null) return [];
  const names = new Map(members.flatMap(({ ci }) => (ci === null ? [] : [[ci.id, ci.name] as const])));
  const titles = new Map(members.map(({ id, title }) => [id, title]));
  const explained = candidate.explains.flatMap(({ ciId }) => names.get(ciId) ?? []);
  return [
    candidate.reasoning.replaceAll('_', ' '),
    ...(explained.length === 0 ? [] : [`explains events on ${enumeration(explained, NAMES)}`]),
    ...(candidate.evidence?.clues ?? [])
      .slice(0, CLUES)
      .map((clue) => `"${titles.get(clue.eventId) ?? eventIdOf(clue.eventId)}": ${clueWords(clue)}`),
  ];
};

interface CourseRow {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}
interface GroupNote {
  readonly by: string;
  readonly at: string;
  readonly text: string;
}

const WITH_WORDS = /^\w+ \d+ events?: (.+)$|: \w+ → \w+ \((.+)\)$/s;

/** Words of the user in an entry, also those given with an acknowledgement; null: none. */
export const wordsOf = (kind: string, text: string): string | null => {
  if (kind === 'note') return text;
  const [, ofGroup, ofEvent] = (kind === 'status' && text.match(WITH_WORDS)) || [];
  return ofGroup ?? ofEvent ?? null;
};

interface Said {
  readonly at: number;
  readonly kind: string;
  readonly by?: { readonly name: string } | undefined;
  readonly text: string;
}
const notesIn = (said: readonly Said[]): GroupNote[] =>
  said.flatMap(({ at, kind, by, text }) => {
    const words = by === undefined ? null : wordsOf(kind, text);
    return by === undefined || words === null ? [] : [{ by: by.name, at: iso(at), text: words }];
  });

const notesOf = async ({ ports, tenant }: Asking, group: Group): Promise<readonly GroupNote[]> =>
  notesIn(await entriesOf(ports, tenant, group));

/** Returns notes, and the first entries of the timeline beside the arrivals of members. */
const courseOf = async ({ ports, tenant, receivedAt }: Asking, group: Group) => {
  const quietMs = quietTimeMs(await correlationSettings(ports.records, tenant));
  const { moments } = await timelineOf(ports, tenant, group, { order: 'asc', quietMs, now: receivedAt });
  const timeline = moments
    .filter(({ kind }) => kind !== 'founded' && kind !== 'joined')
    .slice(0, MOMENTS)
    .map(({ at, kind, text }): CourseRow => ({ at: iso(at), kind, text }));
  return { notes: notesIn(moments), timeline };
};
