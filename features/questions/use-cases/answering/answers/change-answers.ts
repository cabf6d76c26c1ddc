import { durationText, percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { changes, type ToolChangeRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf } from '../desk.ts';
import { isSevere } from '../tell-events.ts';
import { headline, namedCause, tellRow, titled } from '../tell-incident.ts';
import { idsOf } from '../things.ts';

const AFTER_MS = 2 * 3_600_000;
const LIKELY = 0.5;
const LISTED = 8;
const USUAL_DAYS = 7;

/** A change, and the incident that has it as root cause, or began on its CI within two hours after it. */
interface Blamed {
  readonly change: ToolChangeRow;
  readonly row: ToolIncidentRow;
  readonly isCause: boolean;
}

function blamed(change: ToolChangeRow, all: readonly ToolIncidentRow[]): Blamed | null {
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
  return row === undefined ? null : { change, row, isCause: caused !== undefined };
}

const AFTER_CHANGE = /\b(?:after|since|following) (?:its|the|that|this|their)\b/;
const WELL = /\b(?:well|ok|okay|fine|smooth\w*|succe\w*|work|behave\w*|stable|healthy|good|clean|up|quiet|green)\b/;

/** Judges the changes that were listed, else those of the time: the incidents behind them. */
export async function blameListed(desk: Desk): Promise<void> {
  const { reading, memory, clock } = desk;
  const isOfThing = reading.things.length > 0;
  const isListed = memory.intent === 'changes' && reading.time === null && !isOfThing;
  const range =
    reading.time?.text ?? (isListed ? memory.time?.text : undefined) ?? desk.lastDays(isOfThing ? USUAL_DAYS : 1);
  const looked = await desk.look(changes, { time_range: range });
  const places = new Set(isListed ? memory.list : []);
  const ids = new Set(idsOf(reading.things));
  const rows = looked.rows.filter(
    ({ place, ciId }) => (places.size === 0 || places.has(place ?? '')) && (ids.size === 0 || ids.has(ciId ?? '')),
  );
  // `when was the last deployment`, `did it break anything`.
  if (isListed && /\b(?:last|latest|newest) \w/.test(memory.asked ?? '') && /\bit\b/.test(reading.lower))
    rows.splice(1);
  // `was it ok after its deploy`: the last one.
  if (AFTER_CHANGE.test(reading.lower)) rows.splice(1);
  const found = await desk.look(incidents, { time_range: range });
  const hits = rows
    .flatMap((one) => blamed(one, found.rows) ?? [])
    .toSorted((a, b) => Number(b.isCause) - Number(a.isCause));
  const guilty = new Set(hits.map(({ change }) => change));
  const free = rows.filter((one) => !guilty.has(one));
  const [first] = hits;
  const refs = [looked, found];
  const [sure, maybe, not] = WELL.test(reading.lower)
    ? ['No, probably', 'Perhaps not', 'Yes, as far as is known']
    : ['Yes, probably', 'Possibly', 'Not as far as is known'];
  const none = 'no incident has one of them as root cause or began on its CI within 2 hours';
  if (rows.length === 0)
    return desk.say(
      `Not known: no ${isListed ? 'change other than edits in the CMDB' : 'change'} is recorded for that time.`,
      looked,
    );
  if (first === undefined)
    desk.say(`${not}: ${counted(rows.length, 'change')}, and ${none}: ${listed(rows.map(titled))}.`, refs);
  for (const { change, row, isCause } of hits.slice(0, LISTED)) {
    const text = isCause
      ? `is the root cause of an incident of ${counted(row.events, 'event')} (${percent(row.cause?.confidence ?? 0)} confidence)`
      : `was followed on its CI, ${durationText(Date.parse(row.from) - Date.parse(change.at))} later, by ${headline(row)}`;
    desk.say(
      `${change === first?.change ? (isCause ? `${sure}: ` : `${maybe}: `) : ''}${titled(change)}, ${clock.ago(change.at)}, ${text}.`,
      [row, change],
      isCause ? 'likely' : 'possible',
    );
  }
  if (first === undefined) return;
  await tellRow(desk, first.row);
  if (free.length > 0) desk.say(`Nothing points to the others: ${listed(free.map(titled))}.`, refs);
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
  const [first] = began.length > 0 ? began : parts;
  if (ids.size === 0) return desk.say(`Not known: ${name} is no CI or service that could be looked at.`, looked);
  if (first === undefined)
    return desk.say(
      `Probably not: ${name} is in none of ${counted(several.length, 'group')} ${when}.`,
      looked,
      'likely',
    );
  const many = counted(began.length, 'incident');
  if (began.length > 0) desk.say(`Yes, probably: ${many} ${when} began on ${name}.`, [looked, first], 'likely');
  else
    desk.say(`Only as a victim, as far as is known: no incident ${when} began on ${name}.`, [looked, first], 'likely');
  for (const row of (began.length > 0 ? began : parts).slice(0, 3)) await tellRow(desk, row);
  desk.remember({ incident: first.id });
}
