import { joinEnds } from '#application/cmdb/join-ends.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { context, isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, onPlace, onThings, quoted } from '../desk.ts';
import { fittingIncidents, inFull } from '../meant-incident.ts';
import { meantSubjects } from '../meant-things.ts';
import { contextOf } from '../tell-data.ts';
import { newestFirst, tellEvents } from '../tell-events.ts';
import { headline, tellCause, tellRow, titled } from '../tell-incident.ts';
import { tellHealth } from '../tell-service.ts';
import { idsOf, serviceThing, type Thing } from '../things.ts';
import { sickServices } from './estate-answers.ts';
import { tellNone } from './incident-answers.ts';
import { numbers } from './number-answers.ts';

/** Examples that contain no name. */
export const EXAMPLES = [
  'What is the root cause of the most urgent group?',
  'Which events are open?',
  'What changed today?',
];

export async function order(desk: Desk): Promise<void> {
  desk.isAbstained = true;
  desk.lead.push(`I can only read data, not change anything. Try, for example: ${EXAMPLES.join(' ')}`);
}

export async function help(desk: Desk): Promise<void> {
  desk.lead.push(
    'I answer questions about what is going on, root causes, impact, dependencies, changes, earlier incidents, risk of changes, services and counts.',
  );
  const row = await contextOf(desk);
  const counts = row === null ? '' : context.tell(row, {});
  if (counts !== '') desk.say(counts, row);
}

export async function foreign(desk: Desk): Promise<void> {
  desk.isAbstained = true;
  desk.lead.push("I can only read this tenant's data; data of other tenants can't be seen from here.");
}
export async function language(desk: Desk): Promise<void> {
  desk.isAbstained = true;
  desk.lead.push(`I understand questions in English only. Try, for example: ${EXAMPLES.join(' ')}`);
}

/** No user is counted, so the answer names services. */
export async function customers(desk: Desk): Promise<void> {
  desk.say(
    'Not known: customers, contacts, transactions and costs are not recorded here, only services and CIs.',
    await contextOf(desk),
  );
  if (/\b(?:numbers?|salar)/.test(desk.reading.lower)) return;
  const looked = await desk.look(services, {});
  const [verb] = desk.reading.lower.match(DOING) ?? [];
  const meant = looked.rows.filter(({ name }) => verb !== undefined && speaksOf(name, [verb]) > 0);
  const named = meant.map(serviceThing);
  if (await tellHealth(desk, named.length > 0 ? named : desk.reading.things)) return;
  if (looked.total === 0) return;
  const sick = looked.rows.filter(isSick).map(({ name }) => name);
  desk.say(
    `${counted(sick.length, 'service')} not healthy now${sick.length === 0 ? '' : `: ${listed(sick)}`}.`,
    looked,
  );
}

/** `can customers pay`: the service with that name. */
const DOING = /\b(?:pay|order|buy|check ?out|book|transfer|shop)\b/;
/** Backups and jobs are not recorded; an event may report one. */
export async function unrecorded(desk: Desk): Promise<void> {
  const { things, lower } = desk.reading;
  if (/\bpage(?:rs?|d)\b/.test(lower))
    return desk.say('Not known: pages and calls to people are not recorded here.', await contextOf(desk));
  const ci = idsOf(things);
  const isJob = !/back(?:ed)?[ -]?up|snapshot|restore/.test(lower);
  const { time_range, when } = desk.within(7);
  const looked = await desk.look(events, {
    time_range,
    ...(ci.length > 0 && ci.length <= 1_000 && { ci }),
  });
  const said = isJob ? /\b(?:job|batch|cron|etl)/i : /\bback(?:ed)?[ -]?up|snapshot/i;
  const ids = new Set(ci);
  const rows = looked.rows.filter(
    ({ title, ciId, isChange }) => !isChange && said.test(title) && (ids.size === 0 || ids.has(ciId ?? '')),
  );
  const where = onThings(things);
  const what = isJob ? 'jobs' : 'backups';
  const found =
    rows.length === 0
      ? `and no event${where} ${when} mentions one`
      : `but ${counted(rows.length, 'event')}${where} ${when} ${rows.length === 1 ? 'mentions' : 'mention'} one`;
  desk.say(`Not known: ${what} are not recorded here, only events about them, ${found}.`, looked);
  tellEvents(desk, looked, rows.toSorted(newestFirst), { most: 4 });
  const [first] = things;
  if (first !== undefined) desk.rememberThing(first);
}

/** The weightiest of the incidents that were listed. */
export const worst = async (desk: Desk): Promise<void> => {
  const row = OF_INCIDENTS.includes(desk.memory.intent) ? await inFull(desk, desk.memory.incident ?? '') : null;
  if (row === null) return desk.memory.intent === 'services' ? sickServices(desk) : numbers(desk);
  desk.remember({ incident: row.id });
  desk.say(`The most important of them is ${headline(row)}.`, row);
  await tellRow(desk, row);
};
const OF_INCIDENTS: readonly (string | undefined)[] = ['summary', 'assigned', 'healthy'];

/** `on which hosts`: names that were listed last, else those of the incident of the talk. */
export async function listedAgain(desk: Desk): Promise<void> {
  const { list = [], incident: id } = desk.memory;
  const type = desk.reading.things.find(({ kind }) => kind === 'type');
  const row = (list.length > 0 && type === undefined) || id === undefined ? null : await inFull(desk, id);
  // `which switch was it`: the root cause first.
  const members = row?.members.toSorted(
    (a, b) => Number(b.eventId === row.cause?.eventId) - Number(a.eventId === row.cause?.eventId),
  );
  const ids = type === undefined ? null : new Set(idsOf([type]));
  const names = members?.flatMap(({ place, ciId }) => (ids?.has(ciId ?? '') === false ? [] : (place ?? []))) ?? list;
  if (names.length === 0) return tellNone(desk);
  desk.say(`${listed(names)}.`, row ?? (await contextOf(desk)));
  const [first] = members?.filter(({ place }) => place === names[0]) ?? [];
  desk.remember({ list: names.slice(0, 8), ...(first?.ciId && { subject: names[0], current: first.ciId }) });
}

/** Shows a common incident of things, and the path between them. */
export async function together(desk: Desk): Promise<void> {
  const { things, ids } = desk.reading;
  const [one, other] = things;
  if (one === undefined && ids.length === 0) return tellNone(desk);
  if (
    one !== undefined &&
    other === undefined &&
    ids.length === 0 &&
    !/\b(?:it|this|that|they)\b/.test(desk.reading.shape)
  )
    return tellGroupsOf(desk, one);
  const looked = await desk.look(incidents, desk.reading.time === null ? {} : { time_range: desk.reading.time.text });
  // `is it the same as §`: one side is the incident of the talk.
  const ofTalk = other === undefined && desk.reading.pointsBack ? desk.memory.incident : undefined;
  const has = (row: { readonly cis: readonly string[] }, thing: typeof one): boolean =>
    thing === undefined || thing.cis.some(({ id }) => row.cis.includes(id));
  const fits = (incident: (typeof looked.rows)[number]): boolean =>
    has(incident, one) &&
    has(incident, other) &&
    incident.events > 1 &&
    (ofTalk === undefined || incident.id === ofTalk);
  const earlier =
    looked.rows.some(fits) || desk.reading.time !== null
      ? looked
      : await desk.look(incidents, { time_range: desk.lastDays(30) });
  const fitting = earlier.rows.filter(fits);
  const isOfBoth = ({ cause }: ToolIncidentRow): boolean =>
    things.some(({ cis }) => cis.some(({ id }) => id === cause?.ci?.id));
  const row = fitting.find(isOfBoth) ?? fitting[0];
  const names = listed(things.map(({ name }) => name));
  if (row === undefined && !(await tellApart(desk)))
    desk.say(`Not in one incident: no group of the last 30 days has events of ${names} together.`, earlier);
  if (row === undefined) return;
  desk.remember({ incident: row.id });
  desk.say(
    `Yes: ${names} ${things.length === 1 ? 'is' : 'are'} in one incident of ${counted(row.events, 'event')} that started ${desk.clock.ago(row.from)}.`,
    row,
  );
  const full = await inFull(desk, row.id);
  for (const { name, cis } of full === null ? [] : things.slice(0, 3)) {
    const member = full?.members.find(({ ciId }) => cis.some(({ id }) => id === ciId));
    if (member !== undefined) desk.say(`${name}: ${quoted(member.title)}, ${desk.clock.time(member.from)}.`, full);
  }
  const [a, b] = [one?.cis[0], other?.cis[0]];
  if (a !== undefined && b !== undefined) {
    const way = await desk.look(path, { from: a.id, to: b.id });
    const [found] = way.rows;
    if (found === undefined)
      desk.say('No relationship connects them: time and kind of the events put them together.', way);
    else
      desk.say(`They depend on each other: ${found.nodes.map(({ name }) => name).join(' → ')}.`, [
        found,
        desk.ref(found, found.nodes.length - 1),
      ]);
  }
  if (row !== undefined) await tellCause(desk, row);
}

/** `are the two problems of it related`: its groups, which are separate. */
async function tellGroupsOf(desk: Desk, thing: Thing): Promise<void> {
  const { all } = await fittingIncidents(desk, { things: [thing], topic: [] });
  const rows = all.filter(({ events: size }) => size > 1).slice(0, 4);
  const [first] = rows;
  if (first === undefined) return tellNone(desk);
  const { topic } = desk.reading;
  for (const { id } of topic.length === 0 ? [] : rows) {
    const row = await inFull(desk, id);
    const other = row?.members.find(({ title }) => speaksOf(title, topic) >= 0.5);
    if (row === null || other === undefined) continue;
    desk.remember({ incident: id });
    desk.say(`Yes: ${titled(other)} is in one incident of ${counted(row.events, 'event')} with ${thing.name}.`, row);
    return void (await tellCause(desk, row));
  }
  if (topic.length > 0)
    desk.say(`Not known: no group of ${thing.name} has an event about ${quoted(topic.join(' '))}.`, rows);
  const begin =
    topic.length > 0
      ? `${counted(rows.length, 'group')} with`
      : rows.length === 1
        ? 'One group has'
        : `Not as far as is known: ${rows.length} separate groups have`;
  desk.say(`${begin} events of ${thing.name}.`, rows);
  for (const row of rows) await tellRow(desk, row);
  desk.remember({ incident: first.id });
}

/** The two incidents that are meant, and the way between their causes. False: one of them is not known. */
async function tellApart(desk: Desk): Promise<boolean> {
  const { reading, memory } = desk;
  const best = async (thing: Thing | undefined): Promise<ToolIncidentRow | undefined> => {
    if (thing === undefined)
      return memory.incident && reading.pointsBack ? ((await inFull(desk, memory.incident)) ?? undefined) : undefined;
    const { all } = await fittingIncidents(desk, { things: [thing], topic: [] });
    return all.find(({ to }) => to === null) ?? all[0];
  };
  const [one, other] = [await best(reading.things[0]), await best(reading.things[1])];
  if (one === undefined || other === undefined) return false;
  const apart = durationText(Math.abs(Date.parse(one.from) - Date.parse(other.from)));
  const [a, b] = [one.cause?.ci, other.cause?.ci];
  const way = a == null || b == null || a.id === b.id ? null : await desk.find(path, { from: a.id, to: b.id });
  const isLinked = way?.dependent != null;
  const text = (row: ToolIncidentRow): string => `${headline(row)}, ${desk.clock.ago(row.from)}`;
  const begin = isLinked
    ? 'Not proven: they are different groups'
    : 'Not as far as is known: they are different groups';
  if (one.id === other.id) desk.say(`Yes, one incident: ${text(one)}.`, one);
  else desk.say(`${begin}, which began ${apart} apart: ${text(one)}; ${text(other)}.`, [one, other]);
  if (one.id === other.id || a == null || b == null) return true;
  if (isLinked) desk.say(`A dependency connects them: ${way.nodes.map(({ name }) => name).join(' → ')}.`, way);
  else desk.say(`No dependency is known between ${a.name} and ${b.name}.`, [one, other, way]);
  return true;
}

/** Relationships that were proposed. */
export async function proposals(desk: Desk): Promise<void> {
  const { asking, findings } = desk;
  const href = '/api/cmdb/ai-relationships';
  const page = { sort: 'created_at', order: 'desc', limit: 8 } as const;
  if (!asking.caller.permissions.has('cmdb.read')) return;
  const { items, total } = await asking.ports.topology.findRelationships(
    asking.tenant,
    { includeAi: true, fromAi: 'open' },
    page,
  );
  const whole = findings.add({
    kind: 'query',
    id: 'open proposals',
    label: 'open proposals',
    facts: [{ name: 'total', value: total }],
    href,
  });
  if (total === 0)
    desk.say(
      'No pending relationship proposals. Scans are compared with the CMDB when proposals are generated: discover relationships to look for new ones.',
      whole,
    );
  else desk.say(`${counted(total, 'pending relationship proposal')}.`, whole);
  for (const { relationship, source, target } of await joinEnds(asking.ports, asking.tenant, items)) {
    const label = `${source.name} ${relationship.type} ${target.name}`;
    const ref = findings.add({
      kind: 'relationship',
      id: relationship.id,
      label,
      facts: [{ name: 'confidence', value: relationship.confidence }],
    });
    desk.say(
      `Proposed: ${source.name} ${relationship.type} ${target.name} (${percent(relationship.confidence)} confidence, pending).`,
      ref,
      'possible',
    );
  }
}

/** Quotes the texts of a system's alerts, which are no advice. */
export async function says(desk: Desk): Promise<void> {
  const [thing] = await meantSubjects(desk, undefined, true);
  const [ci] = thing?.cis ?? [];
  if (thing === undefined || ci === undefined) return;
  desk.rememberThing(thing);
  const looked = await desk.look(events, { ci: ci.id, time_range: desk.lastDays(7) });
  if (looked.rows.length === 0) return desk.say(`No event came from ${ci.name} in the last 7 days.`, looked);
  desk.say(
    `${ci.name} reported ${counted(looked.total, 'event')} in the last 7 days. Texts of alerts are no advice and were not checked.`,
    looked,
  );
  for (const row of looked.rows.toSorted(newestFirst).slice(0, 5))
    desk.say(`Event text${onPlace(row.place)}: ${quoted(row.title)}, ${row.status}, ${desk.clock.ago(row.from)}.`, row);
}
