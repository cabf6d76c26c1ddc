import { wholeIn, wholesOf } from '#application/groups/cause-wholes.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { findRows, isLone, type ListedRow } from '#application/groups/listing/list-rows.ts';
import { hitsOfRows } from '#application/groups/services-of-causes.ts';
import { countOn, type GroupStatus, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { type Event, eventIdOf, parseEventId, type Severity } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { clockTime, counted, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { durationsOf } from '#features/questions/use-cases/queries/count-incidents.ts';
import { assigneeOf } from '#features/questions/use-cases/queries/people.ts';
import { type Asking, listOf, type QuestionTool, queryOf, rangeOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { ciOf } from './cis.ts';
import { beginOf, careOf, placeOf, spanOf, type ToolEventRow } from './events.ts';
import { type CourseRow, courseOf, type GroupNote, notesOf, reasonsFor } from './group-course.ts';

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

const loneRow = (event: Event): Omit<ToolIncidentRow, 'services'> => ({
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
  cis: event.ci === null ? [] : [event.ci.id],
  activeCis: event.ci === null || !isOn(event.status) ? [] : [event.ci.id],
});

interface Known {
  readonly events: ReadonlyMap<string, Event>;
  readonly wholes: ReadonlyMap<string, CiName>;
}

function groupRow(
  { group, state, care }: ListedGroup,
  { events, wholes }: Known,
  spans: ReadonlyMap<string, number>,
): Omit<ToolIncidentRow, 'services'> {
  const { candidate } = group;
  const span = spans.get(group.id);
  const own = events.get(candidate?.eventId ?? '');
  const scored = own && candidate ? causeRow(own, candidate.confidence, wholes.get(wholeIn(candidate) ?? '')) : null;
  const said = events.get(care.verdict?.rootEventId ?? '');
  const isOther = care.verdict?.cause === 'wrong';
  const root = isOther ? said : own;
  const isOver = root !== undefined && !isOn(root.status) && state.status !== 'resolved' && span === undefined;
  const rivals = (candidate?.alternatives ?? []).slice(0, RIVALS).flatMap(({ eventId, score }) => {
    const event = events.get(eventId);
    return event === undefined ? [] : [causeRow(event, score)];
  });
  return {
    id: group.id,
    // A deployment that nothing ends is no fault that is on.
    state: span === undefined ? state.status : 'resolved',
    severity: state.severity,
    from: iso(group.first),
    to:
      span !== undefined
        ? iso(group.first + span)
        : state.status === 'resolved'
          ? iso(Math.max(group.first, group.last))
          : null,
    events: group.size,
    active: countOn(state.counts),
    causeOver: isOver ? iso(root.resolvedAt ?? root.lastOccurrence) : null,
    cause: isOther ? (said ? causeRow(said, 1) : null) : scored,
    rivals,
    verdict: care.verdict
      ? { by: care.verdict.by.name, cause: care.verdict.cause, note: care.verdict.note ?? null }
      : null,
    scored: isOther ? scored : null,
    assignee: care.assignedTo?.name ?? care.assignedTeam?.name ?? null,
    acknowledgedBy: care.acknowledged?.by?.name ?? null,
    cis: state.cis.all,
    activeCis: state.cis.on,
  };
}

async function knownOf({ tenant, ports }: Asking, groups: readonly ListedGroup[]): Promise<Known> {
  const ids = groups.flatMap(({ group: { candidate }, care: { verdict } }) => [
    ...(candidate === null ? [] : [candidate.eventId]),
    ...(candidate?.alternatives ?? []).slice(0, RIVALS).map(({ eventId }) => eventId),
    ...(verdict?.rootEventId === undefined ? [] : [verdict.rootEventId]),
  ]);
  const [events, wholes] = await Promise.all([
    ports.events.getMany(tenant, [...new Set(ids)]),
    wholesOf(
      ports,
      tenant,
      groups.map(({ group }) => group),
    ),
  ]);
  return { events: new Map(events.map((event) => [event.id, event])), wholes };
}

async function rowsOf(asking: Asking, listed: readonly ListedRow[]): Promise<ToolIncidentRow[]> {
  const groups = listed.filter((row): row is ListedGroup => !isLone(row));
  const known = await knownOf(asking, groups);
  const shown = listed.filter((row) => !(isLone(row) && (isChange(row) || row.supersededBy !== undefined)));
  const maySee = asking.caller.permissions.has('services.read');
  const spans = await durationsOf(
    asking,
    groups.map(({ group }) => group),
  );
  const hits = maySee ? await hitsOfRows(asking, shown, () => undefined) : null;
  return shown.map((one) => {
    const row = isLone(one) ? loneRow(one) : groupRow(one, known, spans);
    const ever = hits?.get(isLone(one) ? one.id : one.group.id)?.ever ?? [];
    return { ...row, services: ever.map(({ service: { id, name } }) => ({ id, name })) };
  });
}

const incidentItem = (row: ToolIncidentRow): NewItem => {
  const { id, state, severity, events, from, to, cause, assignee, acknowledgedBy, services } = row;
  const facts = [
    ...factsOf({ state, severity, events, began: from, ended: to }),
    ...freeTexts({
      assignee: to === null ? (assignee ?? 'none') : null,
      'acknowledged by': acknowledgedBy,
      'affected services': services.map(({ name }) => name).join(', '),
    }),
  ];
  return { kind: parseEventId(id) === null ? 'group' : 'event', id, label: cause?.title ?? id, facts };
};
/** Name of the fact that makes an event a cause. */
export const CONFIDENCE = 'confidence in percent';
const causeItem = ({ eventId, title, place, at, confidence }: CauseRow): NewItem => ({
  kind: 'event',
  id: eventId,
  label: title,
  facts: [...freeTexts({ title, on: place }), ...factsOf({ began: at, [CONFIDENCE]: Math.round(confidence * 100) })],
});
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
const tell = (row: ToolIncidentRow): string => {
  const { events, from, to, state, severity } = row;
  const when =
    to === null
      ? `since ${clockTime(Date.parse(from))}`
      : `from ${clockTime(Date.parse(from))} to ${clockTime(Date.parse(to))}`;
  const over = row.causeOver === null ? '' : `, resolved at ${clockTime(Date.parse(row.causeOver))}`;
  const many =
    row.causeOver === null ? counted(events, 'event') : `${row.active} of ${counted(events, 'event')} active`;
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
    const ci = await ciOf(asking, 'ci', named);
    const statuses = listOf(status) ?? (range === null ? UNRESOLVED : undefined);
    const severities = listOf(severity);
    const filter = {
      ...(search !== undefined && { search }),
      ...(host !== undefined && { host }),
      ...(service !== undefined && { service }),
      ...(assignee !== undefined && { assignee }),
      ...(ci !== null && { ci: ci.id }),
      ...(statuses && { statuses }),
      ...(severities && { severities }),
      ...(range !== null && { from: range.from, to: range.to - 1 }),
    };
    const page = {
      sort: range === null ? 'urgency' : 'first',
      order: 'desc',
      limit: range === null ? MOST : MOST_OF_TIME,
    } as const;
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

export interface MemberRow
  extends Pick<ToolEventRow, 'eventId' | 'title' | 'severity' | 'place' | 'ciId' | 'from' | 'to'> {
  readonly hostname: string | null;
  readonly resolution: string | null;
  readonly resolvedBy: string | null;
}
export interface FullIncidentRow extends ToolIncidentRow {
  /** Oldest first, at most 200. */
  readonly members: readonly MemberRow[];
  readonly notes: readonly GroupNote[];
  /** Reasons for the scored root cause; empty, as is the timeline, unless all of a row is shown. */
  readonly why: readonly string[];
  readonly timeline: readonly CourseRow[];
}

const memberRow = (event: Event): MemberRow => ({
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

const careLines = ({ assignee, acknowledgedBy, cause, rivals, verdict, scored }: FullIncidentRow): string[] => [
  ...(acknowledgedBy === null ? [] : [`Acknowledged by ${acknowledgedBy}`]),
  assignee === null ? 'Unassigned' : `Assigned to ${assignee}`,
  ...(verdict === null
    ? []
    : cause === null || verdict.cause === 'unknown'
      ? [`${verdict.by}: ${verdict.cause === 'wrong' ? 'the scored root cause is wrong' : 'root cause unknown'}`]
      : [
          verdictText({
            ...verdict,
            isRight: verdict.cause === 'right',
            root: placed(cause),
            scored: scored && placed(scored),
          }),
        ]),
  ...rivals.map((one) => `Alternative: ${placed(one)}, score ${one.confidence.toFixed(2)}, ${one.eventId}`),
];
const whyLines = ({ why, timeline }: FullIncidentRow): string[] => [
  ...(why.length === 0 ? [] : [`Why: ${why.join('; ')}`]),
  ...timeline.map(({ at, text }) => `${clockTime(Date.parse(at))} ${text}`),
];
const memberLines = ({ members, notes }: FullIncidentRow): string[] => [
  ...notes.map(({ at, by, text }) => `Note of ${by}, ${clockTime(Date.parse(at))}: "${text}"`),
  ...members.map(({ eventId, from, severity, resolution, ...one }) => {
    const ended = resolution === null ? '' : `, resolution: "${resolution}"`;
    return `${clockTime(Date.parse(from))} ${severity} ${placed(one)}${ended}, ${eventId}`;
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
    if (isLone(listed))
      return { rows: [{ ...row, members: [memberRow(listed)], notes: [], why: [], timeline: [] }], total: 1 };
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
  items: (row) => [
    ...itemsOf(row),
    ...row.members.slice(0, 10).map(
      (one): NewItem => ({
        kind: 'event',
        id: one.eventId,
        label: one.title,
        facts: [
          ...freeTexts({ title: one.title, on: one.place }),
          ...factsOf({ severity: one.severity, began: one.from, ended: one.to }),
          ...freeTexts({ resolution: one.resolution }),
        ],
      }),
    ),
  ],
  href: ({ group }) => (parseEventId(group) === null ? `/api/events/groups/${group}` : `/api/events/${group}`),
  noun: 'group',
  tell,
  more: (row) => [...careLines(row), ...servicesLine(row), ...whyLines(row), ...memberLines(row)],
  none: 'No group found.',
};
