import { counted } from '#features/ai/rules/findings.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, listed, onPlace, quoted } from '../desk.ts';
import { inFull } from '../meant-incident.ts';
import { meantThings, refersBack } from '../meant-things.ts';
import { isBeforeData, tellDataBegin } from '../tell-data.ts';
import { isSevere, tellEvents, worstFirst } from '../tell-events.ts';
import type { Thing } from '../things.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
/** Verbs of faults, where no word of a complaint is given. */
const HAPPENED =
  /\b(?:crash|fail|down|re-?boot|re-?start|die[ds]?|hang|hung|drop|lost|overheat|expire|full|offline|unreachable|stop)/g;
const FULL = /\b(?:space|full|capacity|used|left|oom|memory|exhaust\w*|limit)\b/i;
/** Kinds that any host has. */
const ANY_HOST = /^(?:hosts?|servers?|machines?|vms?|box(?:es)?|systems?|cis?)$/;
/** Names that hosts of a kind have. */
const KINDS: readonly (readonly string[])[] = [
  ['database', 'databases', 'db', 'dbs', 'sql', 'pg', 'postgres', 'postgresql', 'mysql', 'oracle', 'ora', 'mongo'],
  ['hypervisor', 'hypervisors', 'esx', 'esxi', 'vmware_host'],
  ['load balancer', 'load_balancer', 'lb'],
  ['firewall', 'firewalls', 'fw'],
  ['storage', 'san', 'array', 'nas'],
];
const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}_]+/gu) ?? [];

const kindWords = ({ said, name }: Thing): readonly string[] => {
  const own = [said.toLowerCase(), name.toLowerCase()];
  return [...own, ...KINDS.filter((words) => own.some((one) => words.includes(one))).flat()];
};

/** The event is on a named CI, or on a host whose name or complaint has a word of the kind. */
const isOn = ({ ciId, place, title }: ToolEventRow, things: readonly Thing[]): boolean =>
  things.every((thing) => {
    if (thing.kind === 'type' && ANY_HOST.test(thing.said.toLowerCase())) return true;
    if (thing.cis.some(({ id }) => id === ciId)) return true;
    const said = thing.kind === 'type' ? partsOf(`${place ?? ''} ${title}`) : [];
    return kindWords(thing).some((word) => said.includes(word));
  });

/** `did a db host run out of disk lately`: events that began or lasted then, resolved or not, by words of titles, types and host names. */
export async function occurred(desk: Desk): Promise<void> {
  const { reading, asking, clock } = desk;
  const { time, topic, shape } = reading;
  const things = refersBack(desk.reading) ? await meantThings(desk) : reading.things;
  const range = time?.range ?? { from: asking.receivedAt - USUAL_DAYS * DAY_MS, to: asking.receivedAt };
  const looked = await desk.look(events, {
    time_range: time === null ? isoRange(range) : isoRange({ from: range.from - USUAL_DAYS * DAY_MS, to: range.to }),
  });
  if (looked.total === 0 && (await isBeforeData(desk))) return;
  const words = topic.length > 0 ? topic : (shape.match(HAPPENED) ?? []);
  const then = looked.rows.filter(
    ({ isChange, from, to }) =>
      !isChange && Date.parse(from) < range.to && (to === null || Date.parse(to) >= range.from),
  );
  const isFull = /\b(?:out of|full|fill\w*)\b/.test(shape);
  // A verb as in `did payments fail` means all severe events of a named thing.
  const isNamed = things.some(({ kind }) => kind !== 'type');
  const titled = then.filter(
    (row) =>
      (words.length === 0 || speaksOf(row.title, words) > 0 || (isNamed && topic.length === 0 && isSevere(row))) &&
      (!isFull || FULL.test(row.title)),
  );
  const rows = titled.filter((row) => isOn(row, things)).toSorted(worstFirst);
  const what = words.length === 0 || (isNamed && topic.length === 0) ? '' : ` about ${quoted(words.join(' '))}`;
  const where = things.length === 0 ? '' : ` on ${listed(things.map(({ said }) => said))}`;
  const when = time === null ? `in the last ${USUAL_DAYS} days` : clock.range(range);
  const unread = looked.total > looked.rows.length ? `, of ${looked.total}; the others were not read` : '';
  const [first] = rows;
  if (first === undefined) {
    const many = counted(then.length, 'event');
    desk.say(
      `None found: titles and hosts of ${many} ${when} were looked at${unread}, none fits${where}${what}.`,
      looked,
    );
    const own = things.length === 0 ? [] : then.filter((row) => isOn(row, things)).toSorted(worstFirst);
    if (own.length > 0) desk.say(`${counted(own.length, 'other event')}${where} ${when}:`, looked);
    tellEvents(desk, looked, own, { most: 4 });
    const others = titled.flatMap(({ place }) => place ?? []);
    if (others.length > 0) desk.say(`Events${what} were on ${listed(others)}.`, looked);
    return tellDataBegin(desk);
  }
  const open = rows.filter(({ to }) => to === null).length;
  desk.say(`Yes: ${counted(rows.length, 'event')}${where}${what} ${when}, ${open} still open${unread}.`, looked);
  tellEvents(desk, looked, rows, { most: 6 });
  if (/\bhow\b|\bfix|\bsolv|\bresol/.test(shape)) for (const row of rows.slice(0, 2)) await tellEnd(desk, row);
  await tellDataBegin(desk);
  desk.remember({
    incident: first.groupId ?? first.eventId,
    subject: first.place ?? undefined,
    current: first.ciId,
    list: rows.slice(0, 8).flatMap(({ place }) => place ?? []),
  });
}

/** Adds the resolution note of an event, or that it has none. */
async function tellEnd(desk: Desk, { eventId, groupId, title, place, to }: ToolEventRow): Promise<void> {
  const row = await inFull(desk, groupId ?? eventId);
  if (row === null) return;
  const of = `${quoted(title)}${onPlace(place)}`;
  const member = row.members.find((one) => one.eventId === eventId);
  if (to === null) desk.say(`${of} isn't fixed: it is open.`, row);
  else if (member?.resolution == null)
    desk.say(`How ${of} was fixed is not known: it ended ${desk.clock.ago(to)} without a resolution note.`, row);
  else desk.say(`Resolution note of ${of}: ${quoted(member.resolution)}.`, row);
}
