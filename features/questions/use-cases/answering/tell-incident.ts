import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { near, neighbourhood, path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import {
  changes,
  events,
  type ToolChangeRow,
  type ToolEventRow,
} from '#features/questions/use-cases/tools/kinds/events.ts';
import type {
  CauseRow,
  FullIncidentRow,
  MemberRow,
  ToolIncidentRow,
} from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf, onPlace, quoted } from './desk.ts';
import { folded, isSevere, placesOf, worstFirst } from './tell-events.ts';

const LIKELY = 0.5;

export const titled = ({ title, place }: Pick<CauseRow, 'title' | 'place'>): string =>
  `${quoted(title)}${onPlace(place)}`;

/** A cause that may be named: sure enough, or of a person. */
export const namedCause = (desk: Desk, { cause, verdict }: ToolIncidentRow): CauseRow | null =>
  cause !== null && (verdict !== null || cause.confidence >= desk.asking.abstainBelow) ? cause : null;

/** Name of an incident in a list. */
export const headline = (row: ToolIncidentRow): string =>
  row.cause === null ? `${row.events} events` : titled(row.cause);

const causeRef = (desk: Desk, row: ToolIncidentRow): string | null => {
  const ref = desk.ref(row, 1);
  if (ref !== null && namedCause(desk, row) !== null && !desk.causes.includes(ref)) desk.causes.push(ref);
  return ref;
};

const lastedText = ({ clock }: Desk, { from, to }: ToolIncidentRow): string =>
  to === null ? `open since ${clock.ago(from)}` : clock.span(from, to);

/** Events of an incident that are open, the worst first. */
export async function openOf(desk: Desk, { id, to }: ToolIncidentRow): Promise<readonly ToolEventRow[]> {
  if (to !== null) return [];
  const all = await desk.look(events, {});
  const looked = all.total > all.rows.length ? await desk.look(events, { group: id }) : all;
  const isOwn = (one: ToolEventRow): boolean => one.to === null && !one.isChange && (one.groupId ?? one.eventId) === id;
  return looked.rows.filter(isOwn).toSorted(worstFirst);
}
const OPEN_NAMED = 2;
/** `"a" on x and y, "b" on z and 2 more`. */
export const namedOpen = (open: readonly ToolEventRow[]): string =>
  enumeration(
    folded(open).map((same) => titled({ title: same[0]?.title ?? '', place: placesOf(same) || null })),
    OPEN_NAMED,
  );
/** An incident that outlasts its root cause: since when that is over, as a clause, and which events are open; else nothing. */
export async function leftoverOf(desk: Desk, row: ToolIncidentRow) {
  const open = row.causeOver === null ? [] : await openOf(desk, row);
  const left = open.length === 0 ? '' : `; still open: ${namedOpen(open)}`;
  return { text: row.causeOver === null ? '' : `over since ${desk.clock.time(row.causeOver)}${left}`, open };
}

/** The root cause in a sentence; a verdict outranks the score. False: none is named. */
export async function tellCause(desk: Desk, row: ToolIncidentRow): Promise<boolean> {
  const refs = [row, causeRef(desk, row)];
  const { text: over, open } = await leftoverOf(desk, row);
  const { verdict, cause, scored } = row;
  const note = verdict?.note ? `, ${quoted(verdict.note)}` : '';
  if (verdict !== null && verdict.cause !== 'unknown' && cause !== null) {
    const text = verdictText({
      ...verdict,
      isRight: verdict.cause === 'right',
      root: `${titled(cause)}, ${desk.clock.ago(cause.at)}`,
      scored: scored && titled(scored),
    });
    desk.say(text, refs);
    if (over !== '') desk.say(`It is ${over}.`, [row, ...open]);
    return true;
  }
  if (verdict !== null)
    desk.say(
      `${verdict.by}: ${verdict.cause === 'wrong' ? 'the scored root cause is wrong' : 'root cause unknown'}${note}.`,
      refs,
    );
  if (verdict?.cause === 'wrong' || cause === null || cause.confidence < desk.asking.abstainBelow) {
    const why =
      cause === null
        ? 'no event stands out'
        : `the best candidate, ${titled(cause)}, has ${percent(cause.confidence)} confidence`;
    if (verdict === null)
      desk.say(`No root cause identified for the incident that started ${desk.clock.ago(row.from)}: ${why}.`, refs);
    return false;
  }
  if (row.events === 1) {
    desk.say(`${titled(cause)}, ${lastedText(desk, row)}, is in no group.`, refs);
    return true;
  }
  const isLikely = cause.confidence >= LIKELY;
  desk.say(
    `${isLikely ? 'Probable' : 'Possible'} root cause: ${titled(cause)}, ${desk.clock.ago(cause.at)} (${percent(cause.confidence)} confidence).`,
    refs,
    isLikely ? 'likely' : 'possible',
  );
  if (over !== '') desk.say(`It is ${over}.`, [row, ...open]);
  return true;
}

/** One incident of a list; its open events are first where its root cause is over. */
export async function tellRow(desk: Desk, row: ToolIncidentRow): Promise<void> {
  const cause = namedCause(desk, row);
  const number = counted(row.events, 'event');
  const { open } = await leftoverOf(desk, row);
  const [left] = open;
  const isLeft = left !== undefined && cause !== null;
  const what =
    cause === null
      ? `${number}, no root cause identified`
      : isLeft
        ? namedOpen(open)
        : `${titled(cause)}${row.events > 1 ? `, ${number}` : ''}`;
  const hit = row.services.length === 0 ? '' : namesOf(row.services);
  const by =
    row.verdict === null
      ? ''
      : ` (root cause ${row.verdict.cause === 'right' ? 'confirmed' : 'set'} by ${row.verdict.by})`;
  const care = row.to === null ? careText(row) : '';
  const refs = [row, desk.ref(row, 1)];
  const begin = `${capital(row.severity ?? 'unknown')}: ${what}`;
  if (!isLeft) desk.say(`${begin}${by}, ${lastedText(desk, row)}${care}${hit && `. Services: ${hit}`}.`, refs);
  else {
    desk.say(`${begin}, open since ${desk.clock.ago(left.from)}${care}.`, [...refs, ...open]);
    const over = desk.clock.time(row.causeOver ?? row.from);
    desk.say(`It is left of ${number} that began with ${titled(cause)}${by}, which is over since ${over}.`, refs);
    if (hit !== '') desk.say(`Services affected so far: ${hit}.`, row);
  }
}
/** Incidents in a list, which the conversation remembers. */
export async function tellRows(desk: Desk, looked: object, rows: readonly ToolIncidentRow[]): Promise<void> {
  for (const row of rows.slice(0, MOST_ROWS)) await tellRow(desk, row);
  if (rows.length > MOST_ROWS) desk.say(`${rows.length - MOST_ROWS} more of them.`, looked);
  const [first] = rows;
  desk.remember({
    list: rows.slice(0, MOST_ROWS).flatMap(({ cause }) => cause?.place ?? []),
    incidents: rows.slice(0, MOST_ROWS).map(({ id }) => id),
    ...(first !== undefined && { incident: first.id, ...(first.cause?.ci && { current: first.cause.ci.id }) }),
  });
}

const MOST_ROWS = 8;

/** `, acknowledged by a, assigned to b`. */
export const careText = ({ acknowledgedBy, assignee }: ToolIncidentRow): string =>
  `${acknowledgedBy === null ? '' : `, acknowledged by ${acknowledgedBy}`}${assignee === null ? '' : `, assigned to ${assignee}`}`;

/** Complaints of the members beside that of the root cause. */
export const effectsOf = ({ members, cause }: FullIncidentRow): (readonly MemberRow[])[] =>
  folded(members).filter((same) => !same.some(({ eventId }) => eventId === cause?.eventId));
/** `"a" on 5 CIs (…)`. */
const complaintText = (same: readonly MemberRow[]): string => {
  const { size } = new Set(same.flatMap(({ place }) => place ?? []));
  return `${quoted(same[0]?.title ?? '')} on ${size > 3 ? `${size} CIs (${placesOf(same)})` : placesOf(same)}`;
};

/** An earlier severe event on a dependency of the root cause, which it would explain: of the incident, else an open one outside. False: none. */
export async function tellUpstream(desk: Desk, row: FullIncidentRow): Promise<boolean> {
  const { cause, verdict } = row;
  const id = cause?.ci?.id;
  if (cause === null || id === undefined || verdict !== null || !desk.asking.caller.permissions.has('cmdb.read'))
    return false;
  const above = new Set((await near(desk.asking, id, 'up')).map((ci) => ci.id));
  const own = row.members.find((one) => above.has(one.ciId ?? '') && one.from < cause.at && isSevere(one));
  if (own !== undefined) {
    const ahead = durationText(Date.parse(cause.at) - Date.parse(own.from));
    const first = own.to === null ? `Look at ${own.place ?? 'this'} first, too: ${quoted(own.title)}` : titled(own);
    desk.say(
      `${first} came ${ahead} earlier, and ${cause.place ?? 'the cause'} depends on it, so it would explain both.`,
      row,
      'possible',
    );
    return true;
  }
  return tellDown(desk, cause.place ?? 'The root cause', await downAbove(desk, row));
}

const AHEAD_MS = 30 * 60_000;
const BEHIND_MS = 2 * 60_000;
const WAY_HOPS = 6;
/** Events, over or not, that began shortly before an event on systems that its CI depends on, the nearest in time first. */
export async function upstreamAround(desk: Desk, { ci, at, eventId }: CauseRow, only?: ReadonlySet<string>) {
  const ahead = only === undefined ? AHEAD_MS / 2 : AHEAD_MS;
  if (ci === null || !desk.asking.caller.permissions.has('cmdb.read')) return [];
  const above = new Set((await near(desk.asking, ci.id, 'up', WAY_HOPS)).map(({ id }) => id));
  const begin = Date.parse(at);
  const looked = await desk.look(events, {
    time_range: isoRange({ from: begin - ahead, to: begin + BEHIND_MS }),
  });
  const isNear = (from: string): boolean => begin - ahead <= Date.parse(from) && Date.parse(from) <= begin + BEHIND_MS;
  return looked.rows
    .filter((one) => (only?.has(one.ciId ?? '') ?? (isSevere(one) && above.has(one.ciId ?? ''))) && isNear(one.from))
    .filter((one) => one.eventId !== eventId && !one.isUsual && !one.isChange)
    .toSorted((a, b) => a.severity.localeCompare(b.severity) || a.from.localeCompare(b.from));
}

/** `began 3m earlier`. */
export const aheadOf = (from: string, at: string): string => {
  const ms = Date.parse(at) - Date.parse(from);
  return ms < 1_000 ? 'at the same time' : `${durationText(ms)} earlier`;
};

/** Names a cause upstream before the symptom, where the incident has no sure one of its own. False: none. */
export async function tellCauseUpstream(desk: Desk, row: FullIncidentRow): Promise<boolean> {
  const { cause, verdict } = row;
  if (cause?.ci == null || verdict !== null || (row.events > 1 && cause.confidence >= SURE)) return false;
  const own = new Set(row.members.map(({ eventId }) => eventId));
  const [one] = (await upstreamAround(desk, cause)).filter(({ eventId }) => !own.has(eventId));
  const way = one?.ciId == null ? null : await desk.find(path, { from: cause.ci.id, to: one.ciId });
  if (one === undefined || way?.dependent !== cause.ci.id) return false;
  desk.say(
    `Likely, not proven: ${titled(one)} began ${aheadOf(one.from, cause.at)}${one.to === null ? '' : ` and is over since ${desk.clock.time(one.to)}`}, and ${cause.ci.name} depends on it: ${way.nodes.map(({ name }) => name).join(' → ')}.`,
    [one, way],
    'likely',
  );
  return true;
}
const SURE = 0.75;

/** Severe open events, outside the incident, on systems that its root cause depends on. */
export const downAbove = async (desk: Desk, { id, to, cause }: ToolIncidentRow): Promise<readonly ToolEventRow[]> =>
  to !== null || cause?.ci == null
    ? []
    : (await downOf(desk, cause.ci.id, id)).filter(({ from }) => Date.parse(from) <= Date.parse(cause.at) + LATE_MS);
const LATE_MS = 15 * 60_000;

/** The same of any CI, direct dependencies first. */
export async function downOf(desk: Desk, ci: string, group: string | null): Promise<readonly ToolEventRow[]> {
  if (!desk.asking.caller.permissions.has('cmdb.read')) return [];
  const looked = await desk.look(neighbourhood, { ci, hops: 3, direction: 'up' });
  const above = new Map(looked.rows.map(({ id, hops }) => [id, hops]));
  const away = ({ ciId }: ToolEventRow): number => above.get(ciId ?? '') ?? 0;
  const open = await desk.look(events, { severity: [...SEVERE] });
  return open.rows
    .filter(
      (one) =>
        above.has(one.ciId ?? '') && (one.groupId === null || one.groupId !== group) && !one.isUsual && !one.isChange,
    )
    .toSorted((a, b) => away(a) - away(b));
}

/** Names those of the systems above that are failing. False: none. */
export function tellDown(desk: Desk, name: string, down: readonly ToolEventRow[]): boolean {
  for (const one of down.slice(0, 3))
    desk.say(
      `${name} depends on ${one.place ?? 'a CI'}, which has an open ${one.severity} event${one.groupId === null ? '' : ' in another group'}: ${quoted(one.title)}, since ${desk.clock.ago(one.from)}.`,
      one,
      'possible',
    );
  const more = down.slice(3);
  if (more.length > 0)
    desk.say(
      `And ${more.length} more: ${listed(more.map(({ place, title }) => place ?? title))}.`,
      more.slice(0, 3),
      'possible',
    );
  return down.length > 0;
}
const SEVERE = ['critical', 'major'] as const;

/** Effects of the root cause, oldest first. */
export function tellEffects(desk: Desk, row: FullIncidentRow, most = 8): void {
  const first = Date.parse(row.cause?.at ?? row.from);
  const rest = effectsOf(row);
  for (const one of rest.slice(0, most)) {
    const at = Math.min(...one.map(({ from }) => Date.parse(from)));
    const after = at - first;
    const delay =
      after >= 1_000
        ? `${durationText(after)} later: `
        : after <= -1_000
          ? `${durationText(-after)} earlier: `
          : 'At the same time: ';
    desk.say(`${delay}${complaintText(one)}.`, row);
  }
  if (rest.length > most) desk.say(`${rest.length - most} more kinds of events followed.`, row);
}

export function tellServices(desk: Desk, row: ToolIncidentRow): void {
  const what = row.to === null ? 'Affected services' : 'Services that were affected';
  if (row.services.length > 0) desk.say(`${what}: ${namesOf(row.services)}.`, row);
}

export function tellState(desk: Desk, row: ToolIncidentRow): void {
  const by = row.acknowledgedBy === null ? '' : `acknowledged by ${row.acknowledgedBy}, `;
  const who = `${by}${row.assignee === null ? 'unassigned' : `assigned to ${row.assignee}`}`;
  const over =
    row.causeOver === null
      ? ''
      : `; root cause resolved at ${desk.clock.time(row.causeOver)}, ${row.active} of ${counted(row.events, 'event')} active`;
  const when =
    row.to === null
      ? `Open since ${desk.clock.ago(row.from)}${over}, ${who}`
      : `Resolved: it lasted ${desk.clock.span(row.from, row.to)}`;
  desk.say(`${when}.`, row);
}

/** The latest notes. */
export function tellNotes(desk: Desk, row: FullIncidentRow, most: number): void {
  for (const { by, text, at } of row.notes.slice(-most))
    desk.say(`Note by ${by}, ${desk.clock.time(at)}: ${quoted(text)}.`, row);
}

/** Notes on how it ended, each once. */
export const resolutionsOf = ({ members }: FullIncidentRow): MemberRow[] => {
  const found = members.filter(({ resolution }) => resolution !== null);
  return [...new Map(found.map((one) => [one.resolution, one])).values()];
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEFORE_MS = DAY_MS;
const SOON_MS = 2 * HOUR_MS;

/** Changes on the CIs of an incident before it began, the newest first. */
export async function changesBefore(desk: Desk, row: FullIncidentRow, ms = BEFORE_MS) {
  const from = Date.parse(row.from);
  const time_range = desk.lastDays(ms / DAY_MS, from);
  const looked = await desk.look(changes, { time_range });
  const own = new Set([...row.cis, ...row.members.flatMap(({ ciId }) => ciId ?? [])]);
  return { time_range, looked, own: looked.rows.filter(({ ciId }) => ciId !== null && own.has(ciId)) };
}

/** A change that events report on a CI of the incident, else an edit of the CI of the root cause in the CMDB. */
export async function suspectOf(desk: Desk, row: FullIncidentRow): Promise<ToolChangeRow | undefined> {
  const { own } = await changesBefore(desk, row, SOON_MS);
  const id = row.cause?.ci?.id;
  const reported = own.find(({ ciId }) => ciId === id) ?? own[0];
  if (reported !== undefined || id === undefined || !desk.asking.caller.permissions.has('cmdb.read')) return reported;
  const at = Date.parse(row.cause?.at ?? row.from);
  const edits = await desk.look(changes, { ci: id, time_range: desk.lastDays(SOON_MS / DAY_MS, at) });
  const isEdit = (one: ToolChangeRow): boolean => one.title.startsWith('edited') && Date.parse(one.at) <= at;
  return edits.rows.find(isEdit);
}

/** A change on the CI of the cause, or of a member, shortly before: it may have done it. */
export async function tellSuspectChange(desk: Desk, row: FullIncidentRow): Promise<ToolChangeRow | null> {
  const suspect = await suspectOf(desk, row);
  if (suspect === undefined) return null;
  if (suspect.eventId === row.cause?.eventId) return suspect;
  const ahead = durationText(Math.max(0, Date.parse(row.cause?.at ?? row.from) - Date.parse(suspect.at)));
  desk.say(`${titled(suspect)} came ${ahead} before and would be the likely trigger.`, suspect, 'likely');
  return suspect;
}
