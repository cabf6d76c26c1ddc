import { durationText, percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { changes, events, type ToolChangeRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf } from '../desk.ts';
import { instantOf } from '../read-message.ts';
import { faultsIn, incidentOf, isSevere, tellEvents } from '../tell-events.ts';
import { headline, namedCause, tellRow, titled } from '../tell-incident.ts';
import { idsOf, isOnAny, withHosts } from '../things.ts';

const AFTER_MS = 2 * 3_600_000;
const LIKELY = 0.5;
const LISTED = 8;
const USUAL_DAYS = 7;

/** A change, and the incident that has it as root cause, or began on its CI within two hours after it. */
function blamed(change: ToolChangeRow, all: readonly ToolIncidentRow[]) {
  // A change that is in no group is an incident of its own here.
  const others = all.filter(({ events, cause }) => events > 1 || cause?.eventId !== change.eventId);
  const caused = others.find(({ cause }) => cause?.eventId === change.eventId);
  // An incident with a likely root cause elsewhere does not speak against the change.
  const isAfter = ({ from, cis, severity, cause }: ToolIncidentRow): boolean => {
    const later = Date.parse(from) - Date.parse(change.at);
    const isElsewhere = cause !== null && cause.ci?.id !== change.ciId && cause.confidence >= LIKELY;
    return isSevere({ severity }) && cis.includes(change.ciId ?? '') && !isElsewhere && later >= 0 && later <= AFTER_MS;
  };
  const row = caused ?? others.find(isAfter);
  return row === undefined ? [] : [{ change, row, isCause: caused !== undefined }];
}

const AFTER_CHANGE = /\b(?:after|since|following) (?:its|the|that|this|their)\b/;
/** `mailer 8.7.5, all good since?` */
export const SINCE_IT = /\bsince(?: then)?[ ?.!]*$/;
const VERSION = /\b\d+\.\d+(?:\.\d+)*\b/;
const WELL = /\b(?:well|ok|okay|fine|smooth\w*|succe\w*|work|behave\w*|stable|healthy|good|clean|up|quiet|green)\b/;

/** Judges the changes that were listed, else those of the time: the incidents behind them. */
export async function blameListed(desk: Desk): Promise<void> {
  const { reading, memory, clock } = desk;
  const { lower, things, time } = reading;
  const isOfThing = things.length > 0;
  const isListed = memory.intent === 'changes' && time === null && !isOfThing;
  const told = isListed ? memory.time?.text : undefined;
  const time_range = time?.text ?? told ?? desk.lastDays(isOfThing ? USUAL_DAYS : 1);
  const looked = await desk.look(changes, { time_range });
  const places = isListed ? (memory.list ?? []) : [];
  const isOn = isOnAny(things);
  const isMeant = (row: ToolChangeRow): boolean =>
    (places.length === 0 || places.includes(row.place ?? '')) && (idsOf(things).length === 0 || isOn(row));
  const meant = looked.rows.filter(isMeant);
  const [version] = lower.match(VERSION) ?? [];
  const ofVersion = version === undefined ? [] : meant.filter(({ title }) => title.includes(version));
  const all = ofVersion.length > 0 ? ofVersion : meant;
  // `when was the last deployment`, `did it break anything`; `was it ok after its deploy`: the last one.
  const isOfLast = isListed && /\b(?:last|latest|newest) \w/.test(memory.asked ?? '') && /\bit\b/.test(lower);
  const rows = isOfLast || AFTER_CHANGE.test(lower) || SINCE_IT.test(lower) ? all.slice(0, 1) : all;
  const found = await desk.look(incidents, { time_range });
  const hits = rows.flatMap((one) => blamed(one, found.rows)).toSorted((a, b) => Number(b.isCause) - Number(a.isCause));
  const free = rows.filter((one) => !hits.some(({ change }) => change === one));
  const [first] = hits;
  const refs = [looked, found];
  const [sure, maybe, not] = WELL.test(lower)
    ? ['No, probably', 'Perhaps not', 'Yes, as far as is known']
    : ['Yes, probably', 'Possibly', 'Not as far as is known'];
  const what = isListed ? 'change other than edits in the CMDB' : 'change';
  if (rows.length === 0) return desk.say(looked)`Not known: no ${what} is recorded for that time.`;
  const none = 'no incident has one of them as root cause or began on its CI within 2 hours';
  if (first === undefined)
    return desk.say(refs)`${not}: ${counted(rows.length, 'change')}, and ${none}: ${listed(rows.map(titled))}.`;
  for (const { change, row, isCause } of hits.slice(0, LISTED)) {
    const later = durationText(Date.parse(row.from) - Date.parse(change.at));
    const likely = `${percent(row.cause?.confidence ?? 0)} confidence`;
    const text = isCause
      ? `is the root cause of an incident of ${counted(row.events, 'event')} (${likely})`
      : `was followed on its CI, ${later} later, by ${headline(row)}`;
    const word = change !== first.change ? '' : isCause ? `${sure}: ` : `${maybe}: `;
    const certainty = isCause ? 'likely' : 'possible';
    desk.say([row, change], certainty)`${word}${titled(change)}, ${clock.ago(change.at)}, ${text}.`;
  }
  await tellRow(desk, first.row);
  if (free.length > 0) desk.say(refs)`Nothing points to the others: ${listed(free.map(titled))}.`;
  desk.remember({ incident: first.row.id });
}

/** Finds incidents that began on the thing of the question, else those with events on it. */
export async function blameAnything(desk: Desk): Promise<void> {
  const { things } = desk.reading;
  const ids = new Set(idsOf(things));
  const name = namesOf(things);
  const { time_range, when } = desk.within(USUAL_DAYS);
  const looked = await desk.look(incidents, { time_range });
  const several = looked.rows.filter(({ events }) => events > 1);
  const began = several.filter((row) => ids.has(namedCause(desk, row)?.ci?.id ?? ''));
  const parts = several.filter(({ cis }) => cis.some((id) => ids.has(id)));
  const shown = began.length > 0 ? began : parts;
  const [first] = shown;
  if (ids.size === 0) return desk.say(looked)`Not known: ${name} is no CI or service that could be looked at.`;
  const many = counted(several.length, 'group');
  if (first === undefined) return desk.say(looked, 'likely')`Probably not: ${name} is in none of ${many} ${when}.`;
  const refs = [looked, first];
  if (began.length > 0)
    desk.say(refs, 'likely')`Yes, probably: ${counted(began.length, 'incident')} ${when} began on ${name}.`;
  else desk.say(refs, 'likely')`Only as a victim, as far as is known: no incident ${when} began on ${name}.`;
  for (const row of shown.slice(0, 3)) await tellRow(desk, row);
  desk.remember({ incident: first.id });
}

/** `did the release of a fill the disk of b`: by their times and dependency. False: no change of the first is recorded. */
export async function blameOn(desk: Desk): Promise<boolean> {
  const { clock, reading, asking } = desk;
  const [one, other] = reading.things;
  const at = reading.time === null ? null : (instantOf(reading) ?? reading.time.range.from);
  const days = desk.lastDays(USUAL_DAYS);
  const all = await desk.look(changes, { time_range: days });
  if (one === undefined || other === undefined) return false;
  const away = (from: string): number => (at === null ? -Date.parse(from) : Math.abs(Date.parse(from) - at));
  const isOn = isOnAny([one]);
  const [change] = all.rows
    .filter((row) => isOn(row) && row.eventId !== null)
    .toSorted((a, b) => away(a.at) - away(b.at));
  if (change === undefined) return false;
  const ci = idsOf(await withHosts(asking, [other])).slice(0, 1_000);
  const looked = await desk.look(events, { ci, time_range: days });
  const spoken = faultsIn(looked.rows).filter(
    ({ title }) => reading.topic.length === 0 || speaksOf(title, reading.topic) > 0,
  );
  const near = (from: string): number => Math.abs(Date.parse(from) - Date.parse(change.at));
  const [event] = spoken.toSorted((a, b) => near(a.from) - near(b.from));
  desk.rememberThing(other, event && { incident: incidentOf(event) });
  const done = `${titled(change)}, ${clock.time(change.at)}`;
  if (event === undefined)
    desk.say([all, looked])`Not known: no such event is recorded on ${other.name}; the change was ${done}.`;
  else if (event.from < change.at)
    desk.say([change, event])`No: ${titled(event)} began ${clock.time(event.from)}, before ${done}.`;
  else {
    const [from] = idsOf([other]);
    const [to] = idsOf([one]);
    const way = from === undefined || to === undefined ? null : await desk.find(path, { from, to });
    const later = durationText(Date.parse(event.from) - Date.parse(change.at));
    const depends =
      way?.dependent === from
        ? `${other.name} depends on ${one.name}`
        : `no dependency of ${other.name} on ${one.name} is known`;
    desk.say([change, event], 'possible')`Not proven: ${titled(event)} began ${later} after ${done}; ${depends}.`;
  }
  if (event !== undefined) tellEvents(desk, looked, [event]);
  return true;
}
