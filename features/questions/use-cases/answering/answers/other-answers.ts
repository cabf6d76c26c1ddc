import { joinEnds } from '#application/cmdb/join-ends.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { AGED } from '#features/questions/rules/asking/intents.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { speaksOf, stemsOf } from '#features/questions/rules/asking/speaks-of.ts';
import { path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { context, isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { item } from '#features/questions/use-cases/tools/tool.ts';
import { type Desk, listed, namesOf, onThings, quoted, some } from '../desk.ts';
import { fittest, fittingIncidents, inFull } from '../meant-incident.ts';
import { contentWords, tellRecorded } from '../recorded-answers.ts';
import { contextOf, faultsIn, incidentOf, newestFirst, tellEvents } from '../tell-events.ts';
import { headline, tellCause, tellRow, titled, wayText } from '../tell-incident.ts';
import { tellHealth, tellWorstOf } from '../tell-service.ts';
import { idsOf, isOnAny, serviceThing, type Thing } from '../things.ts';
import { tellDuty } from './care-answers.ts';
import { sickServices } from './estate-answers.ts';
import { listEvents } from './event-answers.ts';
import { bySize, ranked, tellNone, why } from './incident-answers.ts';
import { numbers } from './number-answers.ts';

/** Examples that contain no name. */
export const EXAMPLES = [
  'What is the root cause of the most urgent group?',
  'Which events are open?',
  'What changed today?',
];

const abstaining =
  (text: string) =>
  (desk: Desk): void => {
    desk.isAbstained = true;
    desk.lead.push(text);
  };
export const order = abstaining(`I can only read data, not change anything. Try, for example: ${EXAMPLES.join(' ')}`);
export const foreign = abstaining("I can only read this tenant's data; data of other tenants can't be seen from here.");
export const language = abstaining(`I understand questions in English only. Try, for example: ${EXAMPLES.join(' ')}`);

export async function help(desk: Desk): Promise<void> {
  desk.lead.push(
    'I answer questions about what is going on, root causes, impact, dependencies, changes, earlier incidents, risk of changes, services and counts.',
  );
  const row = await contextOf(desk);
  const counts = row === null ? '' : context.tell(row, {});
  if (counts !== '') desk.say(row)`${counts}`;
}

/** No user is counted, so the answer names services. */
export async function customers(desk: Desk): Promise<void> {
  const { lower, things } = desk.reading;
  desk.say(await contextOf(desk))`Not known: customers, contacts, transactions and costs are not recorded here, only
    services and CIs.`;
  if (/\b(?:numbers?|nrs?|phone|salar)/.test(lower)) return void (await tellRecorded(desk));
  const looked = await desk.look(services, {});
  const [verb] = lower.match(DOING) ?? [];
  const named = looked.rows.filter(({ name }) => verb !== undefined && speaksOf(name, [verb]) > 0).map(serviceThing);
  if ((await tellHealth(desk, named.length > 0 ? named : things)) || looked.total === 0) return;
  const sick = looked.rows.filter(isSick);
  desk.say(looked)`${counted(sick.length, 'service')} not healthy now${sick.length === 0 ? '' : `: ${namesOf(sick)}`}.`;
}

/** `can customers pay`: the service with that name. */
const DOING = /\b(?:pay|order|buy|check ?out|book|transfer|shop)\b/;
/** Backups and jobs are not recorded; an event may report one. */
export async function unrecorded(desk: Desk): Promise<void> {
  const { things, lower } = desk.reading;
  if (/\bpagers?\b/.test(lower)) return tellDuty(desk, false);
  if (/\bpaged\b/.test(lower))
    return desk.say(await contextOf(desk))`Not known: pages and calls to people are not recorded here.`;
  const ci = idsOf(things);
  const isJob = !/back(?:ed)?[ -]?up|snapshot|restore/.test(lower);
  const { time_range, when } = desk.within(7);
  const looked = await desk.look(events, { time_range, ci: ci.length > 1_000 ? undefined : some(ci) });
  const said = isJob ? /\b(?:job|batch|cron|etl)/i : /\bback(?:ed)?[ -]?up|snapshot/i;
  const isOn = isOnAny(things);
  const rows = faultsIn(looked.rows).filter((row) => said.test(row.title) && (ci.length === 0 || isOn(row)));
  const where = `${onThings(things)} ${when}`;
  const verb = rows.length === 1 ? 'mentions' : 'mention';
  const found =
    rows.length === 0
      ? `and no event${where} mentions one`
      : `but ${counted(rows.length, 'event')}${where} ${verb} one`;
  desk.say(looked)`Not known: ${isJob ? 'jobs' : 'backups'} are not recorded here, only events about them, ${found}.`;
  tellEvents(desk, looked, rows.toSorted(newestFirst), { most: 4 });
  if (things[0] !== undefined) desk.rememberThing(things[0]);
}

const SUPERLATIVE =
  /\b(?:oldest|earliest|newest|latest|longest|shortest|worst|biggest|most (?:recent|urgent|important|serious|severe|critical))\b/;
/** One of the incidents that were listed, by age, duration or weight; else of services, numbers or events. */
export const worst = async (desk: Desk): Promise<void> => {
  const { incidents: ids = [], intent, list = [] } = desk.memory;
  const [word = 'worst'] = desk.reading.shape.match(SUPERLATIVE) ?? [];
  if (ids.length > 0) {
    const found = (await Promise.all(ids.map((id) => inFull(desk, id)))).flatMap((row) => row ?? []);
    // Lists are the most important first, but those of sizes and doubts.
    const isSorted = /^(?:worst|most [^r])/.test(word) && intent !== 'ranked' && intent !== 'uncaused';
    const [row] = isSorted ? found : bySize(desk, found).rows;
    if (row === undefined) return tellNone(desk);
    desk.remember({ incident: row.id, incidents: ids });
    const of = ids.length === 1 ? 'only one' : `${word} of the ${ids.length}`;
    desk.say(row)`The ${of} is ${headline(row)}.`;
    return tellRow(desk, row);
  }
  if (AGED.test(word)) return listEvents(desk);
  if (intent !== 'services') return intent === 'query' ? numbers(desk) : ranked(desk);
  const { rows } = await desk.look(services, {});
  const row = rows.find(({ name }) => list.includes(name)) ?? rows[0];
  return row === undefined ? sickServices(desk) : tellWorstOf(desk, serviceThing(row));
};

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
  desk.say(row ?? (await contextOf(desk)))`${listed(names)}.`;
  const [first] = members?.filter(({ place }) => place === names[0]) ?? [];
  desk.remember({ list: names.slice(0, 8), ...(first?.ciId && { subject: names[0], current: first.ciId }) });
}

/** A common incident of two things, or of one and the talk; else the two incidents that are meant, and the way between their causes. */
export async function together(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  const { things, ids, topic } = reading;
  const [one, other] = things;
  if (reading.titles.length > 0 && (await tellTitledAnd(desk))) return;
  if (one === undefined && ids.length === 0) return topic.length === 0 ? tellNone(desk) : why(desk);
  const isOfTalk = other === undefined && /\b(?:it|this|that|they)\b/.test(reading.shape);
  if (one !== undefined && other === undefined && ids.length === 0 && !isOfTalk) return why(desk);
  const spoken = other === undefined && reading.pointsBack ? memory.incident : undefined;
  const looked = await desk.look(incidents, { time_range: reading.time?.text ?? desk.lastDays(30) });
  const has = (row: ToolIncidentRow, { cis }: Thing): boolean => cis.some(({ id }) => row.cis.includes(id));
  const fitting = looked.rows.filter(
    (row) =>
      row.events > 1 &&
      things.slice(0, 2).every((thing) => has(row, thing)) &&
      (spoken === undefined || row.id === spoken),
  );
  const isOfBoth = ({ cause }: ToolIncidentRow): boolean =>
    things.some(({ cis }) => cis.some(({ id }) => id === cause?.ci?.id));
  const row = fitting.find(({ to }) => to === null) ?? fitting.find(isOfBoth) ?? fitting[0];
  if (row === undefined) return tellApart(desk, looked);
  desk.remember({ incident: row.id });
  const [be, many] = [things.length === 1 ? 'is' : 'are', counted(row.events, 'event')];
  desk.say(row)`Yes: ${namesOf(things)} ${be} in one incident of ${many} that started ${desk.clock.ago(row.from)}.`;
  const full = await inFull(desk, row.id);
  for (const thing of full === null ? [] : things.slice(0, 3)) {
    const member = full?.members.find(({ ciId }) => thing.cis.some(({ id }) => id === ciId));
    if (member !== undefined) desk.say(full)`${thing.name}: ${quoted(member.title)}, ${desk.clock.time(member.from)}.`;
  }
  await tellWay(desk, one?.cis[0], other?.cis[0], row);
  await tellCause(desk, row);
}

/** The dependency between two CIs, or that there is none. */
async function tellWay(desk: Desk, a: CiName | null | undefined, b: CiName | null | undefined, row: object) {
  if (a == null || b == null || a.id === b.id) return;
  const way = await desk.find(path, { from: a.id, to: b.id });
  if (way?.dependent == null) desk.say([row, way])`No dependency is known between ${a.name} and ${b.name}.`;
  else desk.say(way)`They depend on each other: ${wayText(way)}.`;
}

/** The two incidents that are meant. */
async function tellApart(desk: Desk, looked: object): Promise<void> {
  const { reading, memory } = desk;
  const best = (thing: Thing | undefined): Promise<ToolIncidentRow | null> | null => {
    if (thing === undefined) return reading.pointsBack ? inFull(desk, memory.incident ?? '') : null;
    return fittest(desk, [thing]);
  };
  const [one, other] = [await best(reading.things[0]), await best(reading.things[1])];
  if (one === null || other === null)
    return desk.say(looked)`Not in one incident: no group has events of ${namesOf(reading.things)} together.`;
  desk.remember({ incident: other.id });
  return tellTwo(desk, one, other);
}

/** `does "Out of memory" have to do with the dns thing`: the incident of a title and that of the other words. False: there are no others. */
async function tellTitledAnd(desk: Desk): Promise<boolean> {
  const { reading } = desk;
  const [title = ''] = reading.titles;
  const known = stemsOf(title);
  const words = contentWords(reading).filter((word) => !stemsOf(word).every((stem) => known.includes(stem)));
  if (words.length + reading.things.length === 0) return false;
  const event = await desk.find(events, { search: title, time_range: desk.lastDays(30), sort: 'newest' });
  const { all } = await fittingIncidents(desk, { topic: words });
  const one = event === null ? null : await inFull(desk, incidentOf(event));
  const [best] = all.toSorted((a, b) => Number(isNamedSo(b, words)) - Number(isNamedSo(a, words)));
  if (one === null) return false;
  const isOn = isOnAny(reading.things);
  const inside = one.members.find(
    (row) => isOn(row) || (words.length > 0 && speaksOf(`${row.title} ${row.place ?? ''}`, words) === 1),
  );
  if (inside !== undefined && event !== null) {
    desk.remember({ incident: one.id });
    const thing = reading.things.find(({ cis }) => cis.some(({ id }) => id === inside.ciId));
    const many = counted(one.events, 'event');
    desk.say(one)`Yes: ${titled(event)} is in one incident of ${many} with ${thing?.name ?? titled(inside)}.`;
    await tellCause(desk, one);
    return true;
  }
  if (best === undefined) return false;
  await tellTwo(desk, one, best);
  if (event !== null)
    tellEvents(desk, await desk.look(events, { search: title, time_range: desk.lastDays(30), sort: 'newest' }), [
      event,
    ]);
  return true;
}
const isNamedSo = ({ cause }: ToolIncidentRow, words: readonly string[]): boolean =>
  cause !== null && speaksOf(`${cause.title} ${cause.place ?? ''}`, words) === 1;

async function tellTwo(desk: Desk, one: ToolIncidentRow, other: ToolIncidentRow): Promise<void> {
  const text = (row: ToolIncidentRow): string => `${headline(row)}, ${desk.clock.ago(row.from)}`;
  if (one.id === other.id) return desk.say(one)`Yes, one incident: ${text(one)}.`;
  const apart = durationText(Math.abs(Date.parse(one.from) - Date.parse(other.from)));
  desk.say([one, other])`Not as far as is known: they are different groups, which began ${apart} apart: ${text(one)};
    ${text(other)}.`;
  await tellWay(desk, one.cause?.ci, other.cause?.ci, one);
}

/** Relationships that were proposed. */
export async function proposals(desk: Desk): Promise<void> {
  const { asking, findings } = desk;
  const { ports, tenant } = asking;
  const page = { sort: 'created_at', order: 'desc', limit: 8 } as const;
  if (!asking.caller.permissions.has('cmdb.read')) return;
  const { items, total } = await ports.topology.findRelationships(tenant, { includeAi: true, fromAi: 'open' }, page);
  const open = item('query', 'open proposals', 'open proposals', [{ name: 'total', value: total }]);
  const whole = findings.add({ ...open, href: '/api/cmdb/ai-relationships' });
  if (total === 0)
    desk.say(whole)`No pending relationship proposals. Scans are compared with the CMDB when proposals are generated:
      discover relationships to look for new ones.`;
  else desk.say(whole)`${counted(total, 'pending relationship proposal')}.`;
  for (const { relationship, source, target } of await joinEnds(ports, tenant, items)) {
    const { id, type, confidence } = relationship;
    const label = `${source.name} ${type} ${target.name}`;
    const ref = findings.add(item('relationship', id, label, [{ name: 'confidence', value: confidence }]));
    desk.say(ref, 'possible')`Proposed: ${label} (${percent(confidence)} confidence, pending).`;
  }
}
