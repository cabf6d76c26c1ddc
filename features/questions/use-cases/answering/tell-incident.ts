import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { impact, near, neighbourhood, type PathRow, path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { changes, events, type ToolChangeRow, type ToolEventRow } from '../tools/kinds/events.ts';
import type { CauseRow, FullIncidentRow, MemberRow, ToolIncidentRow } from '../tools/kinds/incidents.ts';
import { type Desk, listed, namesOf, onPlace, quoted, quotedNote } from './desk.ts';
import { faultsIn, folded, isSevere, placesOf, SEVERE, worstFirst } from './tell-events.ts';

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
  const { clock } = desk;
  const { text: over, open } = await leftoverOf(desk, row);
  const { verdict, cause, scored } = row;
  const sayOver = (): boolean => {
    if (over !== '') desk.say([row, ...open])`It is ${over}.`;
    return true;
  };
  if (verdict !== null && verdict.cause !== 'unknown' && cause !== null) {
    const root = `${titled(cause)}, ${clock.ago(cause.at)}`;
    const isRight = verdict.cause === 'right';
    desk.say(refs)`${verdictText({ ...verdict, isRight, root, scored: scored && titled(scored) })}`;
    return sayOver();
  }
  const note = verdict?.note ? `, ${quoted(verdict.note)}` : '';
  const judged = verdict?.cause === 'wrong' ? 'the scored root cause is wrong' : 'root cause unknown';
  if (verdict !== null) desk.say(refs)`${verdict.by}: ${judged}${note}.`;
  if (verdict?.cause === 'wrong' || cause === null || cause.confidence < desk.asking.abstainBelow) {
    const why =
      cause === null
        ? 'no event stands out'
        : `the best candidate, ${titled(cause)}, has ${percent(cause.confidence)} confidence`;
    const started = clock.ago(row.from);
    if (verdict === null) desk.say(refs)`No root cause identified for the incident that started ${started}: ${why}.`;
    return false;
  }
  if (row.events === 1) {
    desk.say(refs)`${titled(cause)}, ${lastedText(desk, row)}, is in no group.`;
    return true;
  }
  const isLikely = cause.confidence >= LIKELY;
  const sure = `${percent(cause.confidence)} confidence`;
  desk.say(refs, isLikely ? 'likely' : 'possible')`${isLikely ? 'Probable' : 'Possible'} root cause: ${titled(cause)},
    ${clock.ago(cause.at)} (${sure}).`;
  return sayOver();
}

const EXTENT = /\b(?:so|that|this) (?:many|much|big|bad|large|widespread|far)\b|\bsuch an?\b|\bwith it\b/;
/** `why did it take so many with it`: what depends on the root cause. */
export async function tellExtent(desk: Desk, { cause }: ToolIncidentRow): Promise<void> {
  if (cause?.ci == null || !EXTENT.test(desk.reading.lower)) return;
  const row = await desk.find(impact, { ci: cause.ci.id });
  const many = counted(row?.impacted.length ?? 0, 'CI depends', 'CIs depend');
  if (row !== null)
    desk.say(row)`${many} on ${row.name}, directly or not, and would fail with it: ${namesOf(row.impacted)}.`;
}

/** One incident of a list; its open events are first where its root cause is over. */
export async function tellRow(desk: Desk, row: ToolIncidentRow): Promise<void> {
  const cause = namedCause(desk, row);
  const number = counted(row.events, 'event');
  const { open } = await leftoverOf(desk, row);
  const [left] = open;
  const hit = namesOf(row.services);
  const judged = row.verdict?.cause === 'right' ? 'confirmed' : 'set';
  const by = row.verdict === null ? '' : ` (root cause ${judged} by ${row.verdict.by})`;
  const care = row.to === null ? careText(row) : '';
  const refs = [row, desk.ref(row, 1)];
  const severity = capital(row.severity ?? 'unknown');
  if (left === undefined || cause === null) {
    const many = row.events > 1 ? `, ${number}` : '';
    const what = cause === null ? `${number}, no root cause identified` : `${titled(cause)}${many}`;
    desk.say(refs)`${severity}: ${what}${by}, ${lastedText(desk, row)}${care}${hit && `. Services: ${hit}`}.`;
    return;
  }
  desk.say([...refs, ...open])`${severity}: ${namedOpen(open)}, open since ${desk.clock.ago(left.from)}${care}.`;
  const over = desk.clock.time(row.causeOver ?? row.from);
  desk.say(refs)`It is left of ${number} that began with ${titled(cause)}${by}, which is over since ${over}.`;
  if (hit !== '') desk.say(row)`Services affected so far: ${hit}.`;
}
/** A list of incidents, which the conversation remembers with the first of them. */
export function rememberRows(desk: Desk, rows: readonly ToolIncidentRow[], most = MOST_ROWS): void {
  const shown = rows.slice(0, most);
  desk.remember({
    list: shown.flatMap(({ cause }) => cause?.place ?? []),
    incidents: rows.slice(0, MOST_REMEMBERED).map(({ id }) => id),
  });
  if (shown[0] !== undefined) desk.remember({ incident: shown[0].id });
}
export async function tellRows(desk: Desk, looked: object, rows: readonly ToolIncidentRow[]): Promise<void> {
  for (const row of rows.slice(0, MOST_ROWS)) await tellRow(desk, row);
  if (rows.length > MOST_ROWS) desk.say(looked)`${rows.length - MOST_ROWS} more of them.`;
  rememberRows(desk, rows);
  const ci = rows[0]?.cause?.ci;
  if (ci) desk.remember({ current: ci.id });
}

const MOST_ROWS = 8;
/** Incidents of a list, shown or not, of which the oldest may be asked for. */
const MOST_REMEMBERED = 50;

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

/** An earlier severe event on a dependency of the root cause, which would explain it: of the incident, else outside. False: none. */
export async function tellUpstream(desk: Desk, row: FullIncidentRow): Promise<boolean> {
  const { cause, verdict } = row;
  const id = cause?.ci?.id;
  if (cause === null || id === undefined || verdict !== null || !desk.asking.caller.permissions.has('cmdb.read'))
    return false;
  const above = new Set((await near(desk.asking, id, 'up')).map((ci) => ci.id));
  const own = row.members.find((one) => above.has(one.ciId ?? '') && one.from < cause.at && isSevere(one));
  if (own === undefined) return tellDown(desk, cause.place ?? 'The root cause', await downAbove(desk, row));
  const ahead = durationText(Date.parse(cause.at) - Date.parse(own.from));
  const first = own.to === null ? `Look at ${own.place ?? 'this'} first, too: ${quoted(own.title)}` : titled(own);
  desk.say(row, 'possible')`${first} came ${ahead} earlier, and ${cause.place ?? 'the cause'} depends on it, so it would
    explain both.`;
  return true;
}

const AHEAD_MS = 30 * 60_000;
const BEHIND_MS = 2 * 60_000;
const WAY_HOPS = 6;
/** Events, over or not, that began shortly before an event on systems that its CI depends on, the nearest in time first. */
export async function upstreamAround(desk: Desk, { ci, at, eventId }: CauseRow, only?: ReadonlySet<string>) {
  const ahead = only === undefined ? AHEAD_MS / 2 : AHEAD_MS;
  if (ci === null || !desk.asking.caller.permissions.has('cmdb.read')) return [];
  const above = new Set((await near(desk.asking, ci.id, 'up', WAY_HOPS)).map(({ id }) => id));
  const [first, last] = [Date.parse(at) - ahead, Date.parse(at) + BEHIND_MS];
  const { rows } = await desk.look(events, { time_range: isoRange({ from: first, to: last }) });
  const isNear = (from: string): boolean => first <= Date.parse(from) && Date.parse(from) <= last;
  const isMeant = (one: ToolEventRow): boolean =>
    only?.has(one.ciId ?? '') ?? (isSevere(one) && above.has(one.ciId ?? ''));
  return faultsIn(rows)
    .filter((one) => isMeant(one) && isNear(one.from) && one.eventId !== eventId && !one.isUsual)
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
  const over = one.to === null ? '' : ` and is over since ${desk.clock.time(one.to)}`;
  desk.say([one, way], 'likely')`Likely, not proven: ${titled(one)} began ${aheadOf(one.from, cause.at)}${over}, and
    ${cause.ci.name} depends on it: ${wayText(way)}.`;
  return true;
}
/** `a → b → c`. */
export const wayText = ({ nodes }: PathRow): string => nodes.map(({ name }) => name).join(' → ');
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
  return faultsIn(open.rows)
    .filter((one) => above.has(one.ciId ?? '') && (one.groupId === null || one.groupId !== group) && !one.isUsual)
    .toSorted((a, b) => away(a) - away(b));
}

/** Names those of the systems above that are failing. False: none. */
export function tellDown(desk: Desk, name: string, down: readonly ToolEventRow[]): boolean {
  for (const one of down.slice(0, 3)) {
    const where = one.groupId === null ? '' : ' in another group';
    desk.say(one, 'possible')`${name} depends on ${one.place ?? 'a CI'}, which has an open ${one.severity}
      event${where}: ${quoted(one.title)}, since ${desk.clock.ago(one.from)}.`;
  }
  const more = down.slice(3);
  const names = listed(more.map(({ place, title }) => place ?? title));
  if (more.length > 0) desk.say(more.slice(0, 3), 'possible')`And ${more.length} more: ${names}.`;
  return down.length > 0;
}

/** Effects of the root cause, oldest first. */
export function tellEffects(desk: Desk, row: FullIncidentRow, most = 8): void {
  const first = Date.parse(row.cause?.at ?? row.from);
  const rest = effectsOf(row);
  for (const one of rest.slice(0, most)) {
    const after = Math.min(...one.map(({ from }) => Date.parse(from))) - first;
    const delay = `${durationText(Math.abs(after))} ${after > 0 ? 'later' : 'earlier'}`;
    desk.say(row)`${Math.abs(after) < 1_000 ? 'At the same time' : delay}: ${complaintText(one)}.`;
  }
  if (rest.length > most) desk.say(row)`${rest.length - most} more kinds of events followed.`;
}

export function tellServices(desk: Desk, row: ToolIncidentRow): void {
  const what = row.to === null ? 'Affected services' : 'Services that were affected';
  if (row.services.length > 0) desk.say(row)`${what}: ${namesOf(row.services)}.`;
}

export function tellState(desk: Desk, row: ToolIncidentRow): void {
  const { from, to, causeOver, active, acknowledgedBy, assignee } = row;
  const by = acknowledgedBy === null ? '' : `acknowledged by ${acknowledgedBy}, `;
  const who = `${by}${assignee === null ? 'unassigned' : `assigned to ${assignee}`}`;
  const many = `${active} of ${counted(row.events, 'event')} active`;
  const over = causeOver === null ? '' : `; root cause resolved at ${desk.clock.time(causeOver)}, ${many}`;
  if (to === null) desk.say(row)`Open since ${desk.clock.ago(from)}${over}, ${who}.`;
  else desk.say(row)`Resolved: it lasted ${desk.clock.span(from, to)}.`;
}

export function tellNotes(desk: Desk, row: FullIncidentRow, most: number): void {
  for (const { by, text, at } of row.notes.slice(-most))
    desk.say(row)`Note by ${by}, ${desk.clock.time(at)}: ${quotedNote(text)}.`;
}

/** Notes on how it ended, each once. */
export const resolutionsOf = ({ members }: FullIncidentRow): MemberRow[] => {
  const found = members.filter(({ resolution }) => resolution !== null);
  return [...new Map(found.map((one) => [one.resolution, one])).values()];
};

const DAY_MS = 86_400_000;
const SOON_MS = 2 * 3_600_000;

/** Changes on the CIs of an incident before it began, the newest first. */
export async function changesBefore(desk: Desk, row: FullIncidentRow, ms = DAY_MS) {
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
  const mayRead = id !== undefined && desk.asking.caller.permissions.has('cmdb.read');
  // A dependent of the root cause did not trigger it.
  const below = new Set(
    mayRead && own.length > 0 ? (await near(desk.asking, id, 'down', WAY_HOPS)).map((ci) => ci.id) : [],
  );
  const reported = own.find(({ ciId }) => ciId === id) ?? own.find(({ ciId }) => !below.has(ciId ?? ''));
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
  desk.say(suspect, 'likely')`${titled(suspect)} came ${ahead} before and would be the likely trigger.`;
  return suspect;
}
