import type { NeighbourhoodOptions } from '#domain/ports/topology/graph-queries.ts';
import { slices } from '#domain/slices.ts';
import { withoutTrailing } from '#domain/text.ts';
import { CI_STATUSES, type Ci, PART_TYPES } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { RANKED } from '#features/questions/rules/asking/settled-intent.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSameEnvironment } from '#features/questions/rules/grammar/tenant-names.ts';
import { tenantNames } from '#features/questions/use-cases/queries/read-query.ts';
import { ciDetails, searchCis } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { changes, events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, ignored, listed, namesOf, quoted, some } from '../desk.ts';
import { fittingIncidents, inFull } from '../meant-incident.ts';
import {
  askWhich,
  meantSubjects,
  meantThings,
  refersBack,
  subjectsOf,
  talkThings,
  unknownNames,
} from '../meant-things.ts';
import { readMessage } from '../read-message.ts';
import { contextOf, faultsIn, SEVERE, tellEvents } from '../tell-events.ts';
import { headline, titled } from '../tell-incident.ts';
import { ciThing, findThings, idsOf, isPlaceType, type Thing, withHosts } from '../things.ts';

/** Fields by the words that people use. */
const FIELDS: readonly (readonly [said: RegExp, fields: RegExp])[] = [
  [/\b(?:ips?|ip addresses|address|addresses)\b/, /^(?:ip|ip_?address(?:es)?|ipv4|address|management_ip)$/i],
  [/\bfirmware\b/, /firmware|version/i],
  [/\bversion\b/, /version|software|engine|firmware|^os$/i],
  [/\b(?:os|operating system)\b/, /^os$|operating/i],
  [/\bserial\b/, /serial/i],
  [/\bmodel\b/, /model/i],
  [/\b(?:manufacturer|vendor|made|brand)\b/, /manufacturer|vendor/i],
  [/\b(?:location|located|where is|stands?)\b/, /location|site|rack|room|datacenter/i],
  [/\b(?:memory|ram)\b/, /memory|ram/i],
  [/\b(?:cpu|cores|cpus)\b/, /cpu|core/i],
  [/\b(?:department|owners?|owns?|owned|teams?|belongs?|belonging)\b/, /department|owner|team/i],
  [/\b(?:environment|env)\b/, /environment/i],
  [/\b(?:engine|software|database type)\b/, /engine|software/i],
  [/\b(?:criticality|how critical|important)\b/, /criticality/i],
  [/\b(?:attributes|details|properties|specs?)\b/, /./],
];
export const fieldAsked = (lower: string): RegExp | null => FIELDS.find(([said]) => said.test(lower))?.[1] ?? null;

/** One field of a CI, with contradicting notes. */
export async function attribute(desk: Desk): Promise<void> {
  const [first] = await meantSubjects(desk);
  const fields = fieldAsked(desk.reading.lower) ?? /./;
  if (first === undefined) return;
  // `is the vendor on site`: a field is no answer to it.
  const isYesNo = /^(?:is|are|was|were|has|have|did|does) (?:the|its) /.test(desk.reading.shape);
  remember(desk, first);
  for (const { id } of first.cis.slice(0, 4)) {
    const row = await desk.find(ciDetails, { ci: id });
    if (row === null) continue;
    const { name, attributes } = row;
    const found = fieldTexts(attributes, fields);
    const known = listed(Object.keys(attributes));
    if (found === '') desk.say(row)`Not recorded for ${name}. Recorded: ${known}.`;
    else desk.say(row)`${isYesNo ? 'Not known whether; recorded of ' : ''}${name}: ${found}.`;
  }
}
/** `serial number 12, model X`: the fields with such a name. */
export const fieldTexts = (attributes: Readonly<Record<string, unknown>>, fields: RegExp): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (fields.test(name) ? [`${name.replaceAll('_', ' ')} ${value}`] : []))
    .join(', ');

/** An incident of another subject is forgotten. */
export const remember = (desk: Desk, thing: Thing): void =>
  desk.rememberThing(thing, { list: thing.cis.slice(0, 8).map(({ name }) => name), incident: undefined });

/** `what depends on it`, `what does it need`, `which servers run on esx-05`: the first that fits. */
const DIRECTIONS: readonly (readonly ['up' | 'down' | 'both', RegExp])[] = [
  [
    'up',
    /^(?:and )?(?:what|where|which \w+)(?:'s| is| does| do)? (?:the )?§ (?:\w+ )?(?:runs?|running|hosted|sits?|sitting) on[ ?]*$/,
  ],
  [
    'down',
    /\b(?:anything|something|anyone|nothing|what else)\b.{0,20}\b(?:depend|run|use|need|rel|hosted|connect)|^(?:which|what|how many|list|show)\b[^§]{0,20}§ (?:\w+ )?(?:runs?|running|depends?|needs?|uses?|relies|rely|hosted|sits?)\b.*§/,
  ],
  ['down', /^(?:is|are) (?:the )?§ (?:\w+ )?(?:empty|idle|in use|unused)\b/],
  ['both', /\b(?:relationships?|related|connected|neighbou?rs?|talks? to)\b/],
  ['down', /\b(?:downstream|dependents?|consumers?)\b/],
  [
    'up',
    /\b(?:upstream|dependency|dependencies)\b|\bdo(?:es)?\b.{0,40}\b(?:depend|rely|need|use|run|require|sit)|\bwhat (?:is )?(?:§|it) (?:depend|need|use|run|rel|requir)/,
  ],
  [
    'down',
    /\b(?:what|which|who|everything|anything|list|show|how many|vms?|§)\b.{0,40}\b(?:depends?|depending|rely|relies|resolves?|uses?|needs?|runs?|running|hosted|hangs?|attached|plugged|cabled|wired|requires?|sits?|lives?|stands?)\b/,
  ],
];
export const directionOf = (shape: string) => DIRECTIONS.find(([, said]) => said.test(shape))?.[0] ?? 'up';

const MOST = 1_000;
const NAMED = 30;
const WEEK_MS = 7 * 86_400_000;

/** A condition on CIs, with the words that the answer has for it. */
interface CiCondition {
  readonly text: string;
  readonly meets: (ci: Ci) => boolean;
}

/** Fields that name a single CI. */
const NAMING = /^(?:hostname|fqdn|.*ip.*|.*address.*|name|arn|serial.*|mac.*|description|runbook)$/i;
const fieldsOf = ({ attributes, customFields }: Ci): [string, string][] =>
  Object.entries({ ...attributes, ...customFields }).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? [[name, String(value)]] : [],
  );
/** `postgresql` is a value `PostgreSQL 16`. */
const isValue = (value: string, word: string): boolean => {
  const lower = value.toLowerCase();
  return lower === word || (word.length > 2 && lower.split(/[\s/_-]+/).includes(word));
};

const hasField = (ci: Ci, fields: RegExp): boolean => fieldsOf(ci).some(([name]) => fields.test(name));

/** `Dell`, `team platform`: words that are values of fields of some of the CIs; null: they are not. */
function valueCondition(all: readonly Ci[], word: string, fields = /./): CiCondition | null {
  const fits = ([name, value]: [string, string]): boolean =>
    !NAMING.test(name) && fields.test(name) && isValue(value, word.toLowerCase());
  const [found] = all.flatMap((ci) => fieldsOf(ci).find(fits) ?? []);
  if (found === undefined) return null;
  return { text: ` with ${found.replaceAll('_', ' ')} ${word}`, meets: (ci) => fieldsOf(ci).some(fits) };
}

const LACKING = /\b(?:no|without|missing|lack\w*|n'?t have|not have|unknown|empty)\b(?: an?| any| the)? (\w+)/;
const SLOW = /\b(?:slow|sluggish|laggy|lagging)\b/;
const EVENTFUL =
  /\b(?:slow|sluggish|laggy|lagging|(?:alerts?|alarms?|events?|problems?|issues?|incidents?|criticals?|outages?)|trouble|fail(?:ed)?|crash(?:ed)?|down|broken|failing|red|affected|degraded|unhealthy|sick|dead|offline|unreachable|alert(?:ed|ing))\b/;
const SILENT =
  /\b(?:no|without|zero|never|not|n't|nothing|free of)\b.{0,24}\b(?:alert\w*|alarm\w*|events?|problems?|issues?|incidents?|criticals?|down|broken|failing|affected|fired)\b|\b(?:quiet|silent|clean|healthy|green)\b/;

export const isOfEvents = (shape: string): boolean => SILENT.test(shape) || EVENTFUL.test(shape);

/** CIs with events whose titles have all of the words: `which hosts had the ntp timeout`; null: no title has them. */
async function titleCondition(desk: Desk, words: readonly string[]): Promise<CiCondition | null> {
  const { time_range, when } = desk.within(7);
  const looked = await desk.look(events, { time_range });
  const rows = looked.rows.filter(({ title }) => speaksOf(title, words) === 1);
  const ids = new Set(rows.flatMap(({ ciId }) => ciId ?? []));
  return rows.length === 0
    ? null
    : { text: ` with an event about ${quoted(words.join(' '))} ${when}`, meets: ({ id }) => ids.has(id) };
}

/** Events on the CIs, of now or of the time; null: the question names none. */
async function eventCondition(desk: Desk): Promise<CiCondition | null> {
  const { shape, severities: said, time } = desk.reading;
  if (!isOfEvents(shape)) return null;
  // A warning makes nothing `down`.
  const severities = said.length === 0 && /\b(?:down|dead|offline|unreachable)\b/.test(shape) ? SEVERE : said;
  const [isSilent, isSlow, range] = [SILENT.test(shape), SLOW.test(shape), time?.range];
  const looked = await desk.look(events, {
    time_range: range && isoRange({ from: range.from - WEEK_MS, to: range.to }),
    severity: some(severities),
  });
  const ids = new Set(
    faultsIn(looked.rows)
      .filter(({ title, to }) => (!isSlow || speaksOf(title, ['slow']) > 0) && (!range || isSince(to, range.from)))
      .flatMap(({ ciId }) => ciId ?? []),
  );
  const level = severities.length === 0 ? 'event' : `${severities.join(' or ')} event`;
  const kind = isSlow ? 'event about slowness' : level;
  const when = time === null ? `open ${kind} now` : `${kind} ${desk.clock.range(time.range)}`;
  const unread = looked.isCut ? ` (${looked.rows.length} of ${looked.total} events were read)` : '';
  const article = /^(?:critical|m|w)/.test(when) ? 'a' : 'an';
  return {
    text: ` ${isSilent ? 'without' : 'with'} ${article} ${when}${unread}`,
    meets: ({ id }) => ids.has(id) !== isSilent,
  };
}
const isSince = (to: string | null, from: number): boolean => to === null || Date.parse(to) >= from;

const BEHIND =
  /\b(?:behind|used by|needed by|required by|of|under|below|serving|feeding)\b.{0,12}§|§ .{0,12}\b(?:uses?|needs?|depends? on|requires?|relies on|runs on)[ ?]*$/;

const OWNED = /\b(?:teams?|own\w*|belong\w*|department|responsible)\b/;
/** A place, a system above or below, or a team with that name. */
async function thingCondition({ asking, reading }: Desk, all: readonly Ci[], thing: Thing): Promise<CiCondition> {
  const owned = OWNED.test(reading.shape) ? valueCondition(all, thing.said, /department|owner|team/i) : null;
  if (owned !== null) return owned;
  const { tenant, ports } = asking;
  const ids = new Set(idsOf([thing]));
  if (thing.kind === 'ci' || thing.kind === 'service') {
    const direction = thing.kind === 'service' || BEHIND.test(reading.shape) ? 'up' : 'down';
    for (const id of [...ids].slice(0, NAMED)) {
      const { nodes } = await ports.graph.neighbourhood(tenant, id, { hops: 3, direction, limit: MOST });
      for (const { ci } of nodes) ids.add(ci);
    }
    if (thing.kind === 'ci') ids.delete(thing.id ?? '');
    const how = thing.kind === 'ci' && direction === 'down' ? 'that need' : 'needed by';
    return { text: ` ${how} ${thing.name}`, meets: ({ id }) => ids.has(id) };
  }
  return { text: ` in ${thing.name}`, meets: ({ id }) => ids.has(id) };
}

/** CIs that a message is about before any condition: of its type, its family or place, or all that have an address. */
async function subjectCis({ asking, reading, memory }: Desk) {
  const { tenant, ports } = asking;
  const { things, shape, lower } = reading;
  const nounsOf = (one: string, rest = ''): readonly [string, string] => [`${one}${rest}`, `${one}s${rest}`];
  const isOfList = /\bof (?:them|these|those|that)\b/.test(shape) && things.length === 0;
  const listedBefore = isOfList ? (await findThings(asking, (memory.list ?? []).join(', '))).things : [];
  if (listedBefore.length > 0) {
    const all = await ports.topology.getCis(tenant, idsOf(listedBefore).slice(0, MOST));
    return { head: undefined, all, noun: nounsOf('CI', ' named last'), isCut: false };
  }
  const types = things.filter(({ kind }) => kind === 'type');
  const head =
    (RANKED.test(shape) ? types[1] : undefined) ??
    types[0] ??
    things.find(({ kind }) => kind === 'family' || kind === 'place');
  if (head !== undefined) {
    const all = await ports.topology.getCis(tenant, idsOf([head]).slice(0, MOST));
    return { head, all, noun: nounsOf('CI', ` of ${head.kind === 'type' ? 'type ' : ''}${head.name}`), isCut: false };
  }
  const { items, total } = await ports.topology.findCis(tenant, {}, { sort: 'name', order: 'asc', limit: MOST });
  const isHosts = /\b(?:hosts?|machines?|servers?|boxes|nodes?)\b/.test(lower);
  const all = isHosts ? items.filter((ci) => hasField(ci, /^(?:hostname|fqdn|ip_address)$/)) : items;
  return { head, all, noun: nounsOf('CI', isHosts ? ' with an address' : ''), isCut: total > items.length };
}

/** `which hypervisor has the most vms`: CIs by the CI of a type that they run on or need. */
async function byRelative({ asking }: Desk, own: readonly Ci[], { cis }: Thing): Promise<Map<string, Ci[]>> {
  const { tenant, ports } = asking;
  const known = new Map(own.map((ci) => [ci.id, ci]));
  const options = { hops: 2, direction: 'down', types: STANDS, limit: MOST } as const;
  const found = new Map<string, Ci[]>();
  for (const some of slices(cis.slice(0, MOST_RELATIVES), 20)) {
    const near = await Promise.all(some.map(({ id }) => ports.graph.neighbourhood(tenant, id, options)));
    for (const [{ name }, { nodes }] of zip(some, near)) {
      const all = nodes.flatMap(({ ci }) => known.get(ci) ?? []);
      if (all.length > 0) found.set(name, all);
    }
  }
  return found;
}
const MOST_RELATIVES = 200;

const GROUPED = /\b(?:per|by|each|every) (?:each )?(\w+)/;
const ASKED_FIELD =
  /^(?:and )?(?:which|what) (vendor|manufacturer|brand|os|model|version|engine|team|site|location|environment|status|types?)s?\b/;
const keyOf = (ci: Ci, word: string): string => {
  if (/^(?:types?|kinds?)$/.test(word)) return ci.type;
  if (/^status/.test(word)) return ci.status;
  const fields = /^(?:site|location|place|data)/.test(word)
    ? /location|site|datacenter/i
    : (fieldAsked(word) ?? new RegExp(`^${word}$`, 'i'));
  return fieldsOf(ci).find(([name]) => fields.test(name))?.[1] ?? 'none recorded';
};

/** An environment, where some of the CIs have one. */
function environmentCondition(desk: Desk, all: readonly Ci[]): CiCondition | null {
  const said = desk.reading.asked.entities.find(({ kind }) => kind === 'environment');
  const of = (ci: Ci): string[] => fieldsOf(ci).flatMap(([name, value]) => (/^env/i.test(name) ? [value] : []));
  if (said !== undefined && all.some((ci) => of(ci).length > 0))
    return { text: ` in ${said.text}`, meets: (ci) => of(ci).some((one) => isSameEnvironment(said.value, one)) };
  ignored(desk, said === undefined ? [] : [said.text]);
  return null;
}

/** Neither a name nor a type of CIs. */
async function tellNoKind(desk: Desk): Promise<void> {
  const { missing, topic: words, strange } = desk.reading;
  const topic = [...words, ...strange];
  if (missing.length > 0) return unknownNames(desk);
  if (topic.length === 0) return askWhich(desk, 'What should be listed?');
  const { ciTypes } = await tenantNames(desk.asking);
  const said = quoted(topic.join(' '));
  desk.say(await contextOf(desk))`No type or name of CIs is ${said}. Types: ${enumeration(ciTypes, NAMED)}.`;
}

/** `it` is still what the listed CIs stand on. */
function rememberList(desk: Desk, head: Thing | undefined, others: readonly Thing[], own: readonly Ci[]): void {
  const place = others.find(({ kind }) => kind === 'place');
  const list = own.slice(0, 8).map(({ name }) => name);
  desk.remember({ subject: (place ?? head)?.name, list, incident: undefined });
  const owner = others.find(({ kind }) => kind === 'ci');
  if (owner !== undefined) desk.rememberThing(owner);
}

/** CIs by type, place, fields, relations and events: how many, which, or how many of each kind; true: none, but a system was named. */
export async function listCis(desk: Desk): Promise<boolean> {
  const { reading } = desk;
  const { lower, things, shape } = reading;
  const { head, all, noun, isCut } = await subjectCis(desk);
  const isAskable = reading.missing.length === 0 && (COUNTABLE.test(lower) || noun[0] === 'CI named last');
  if (head === undefined && !isAskable) {
    await tellNoKind(desk);
    return false;
  }
  const params = head?.kind === 'type' ? { type: head.name } : { search: head?.name };
  const looked = await desk.look(searchCis, params);
  const status = CI_STATUSES.find((one) => lower.split(/\W/).includes(one));
  const [, lacking = ''] = lower.match(LACKING) ?? [];
  const lacked = lacking === '' ? null : fieldAsked(lacking);
  const byValue = [...reading.topic, ...reading.strange].map((word) => [word, valueCondition(all, word)] as const);
  const relative = things.find((one) => one !== head && one.kind === 'type');
  const by = RANKED.test(shape) ? relative?.said : (lower.match(GROUPED)?.[1] ?? lower.match(ASKED_FIELD)?.[1]);
  const field = lower.match(/\b(?:and|with) (?:their|its) (\w+?)s?\b/)?.[1];
  const talk = head !== undefined && refersBack({ shape, things: [] }) ? await talkThings(desk) : [];
  const others = [...things.filter((one) => one !== head && one.kind !== 'type'), ...talk];
  const unknown = byValue.flatMap(([word, found]) => (found === null && !lacked && field === undefined ? [word] : []));
  for (const { kind, said } of things)
    if (kind === 'type' && said !== head?.said && said !== by && field === undefined) unknown.push(said);
  const ofTitles = unknown.length === 0 ? null : await titleCondition(desk, unknown);
  if (ofTitles !== null) unknown.length = 0;
  const conditions = [
    ofTitles,
    status === undefined ? null : { text: ` with status ${status}`, meets: (ci: Ci) => ci.status === status },
    lacked === null ? null : { text: ` without ${lacking}`, meets: (ci: Ci) => !hasField(ci, lacked) },
    environmentCondition(desk, all),
    ...byValue.map(([, found]) => found),
    ...(await Promise.all(others.map((one) => thingCondition(desk, all, one)))),
    lacked === null && ofTitles === null ? await eventCondition(desk) : null,
  ].filter((one) => one !== null);
  const own = all.filter((ci) => conditions.every(({ meets }) => meets(ci)));
  if (own.length === 0 && head?.kind === 'type' && others.some(({ kind }) => kind === 'ci')) return true;
  desk.left.push(...unknown);
  const strange = listed(unknown.map(quoted));
  if (unknown.length > 0) desk.lead.push(`No CI of the question has ${strange} in a field; without that:`);
  rememberList(desk, head, others, own);
  const what = `${own.length === 1 ? noun[0] : noun[1]}${conditions.map(({ text }) => text).join('')}`;
  const many = `${isCut ? 'at least ' : ''}${own.length}`;
  const of = conditions.length > 0 ? `, of ${all.length} in all` : '';
  const refs = [looked, ...own.slice(0, 3).map((ci) => desk.findings.ci(ci))];
  const names = own.map((ci) => (field === undefined ? ci.name : `${ci.name} (${keyOf(ci, field)})`));
  const group = others.find(({ kind, cis }) => kind !== 'place' && cis.length > 1);
  if (own.length === 0 && group !== undefined)
    desk.say(
      refs,
    )`Not known: which of ${counted(group.cis.length, 'CI')} is meant with ${quoted(group.said)}: ${listed(group.cis.map(({ name }) => name))}?`;
  else if (own.length === 0) desk.say(refs)`No ${what}.`;
  else if (by === undefined) desk.say(refs)`${many} ${what}${of}: ${enumeration(names, NAMED)}.`;
  else {
    const isByRelative = relative?.said === by && !isPlaceType(relative.name);
    const grouped = isByRelative ? await byRelative(desk, own, relative) : Map.groupBy(own, (ci) => keyOf(ci, by));
    const sorted = [...grouped].toSorted((a, b) => b[1].length - a[1].length);
    const rows = sorted.map(([key, cis]) => `${key} ${cis.length}`);
    desk.say(refs)`${many} ${what} by ${by}: ${enumeration(rows, NAMED)}.`;
  }
  return false;
}
const COUNTABLE = /\b(?:hosts?|machines?|servers?|systems?|cis?|boxes|nodes?|assets?|devices?|components?)\b/;

/** `how many crm nodes`: CIs whose name has the word, and what it runs on. */
async function tellNodes(desk: Desk, thing: Thing): Promise<void> {
  const word = thing.name.toLowerCase();
  const looked = await desk.look(searchCis, { search: thing.name });
  const [{ cis: hosts } = thing] = await withHosts(desk.asking, [thing]);
  const isPart = ({ name }: CiName): boolean => name.toLowerCase().split(/[._-]/).includes(word);
  const named = looked.rows.filter((ci) => isPart(ci) && /server|machine|node|instance|container/.test(ci.type));
  if (named.length === 0) return attribute(desk);
  desk.say(looked)`${counted(named.length, `machine is`, `machines are`)} named after ${thing.name}: ${typed(named)}.`;
  const own = hosts.filter(({ id }) => id !== thing.id);
  if (own.length > 0) desk.say(looked)`By relationships ${thing.name} runs on ${namesOf(own)}.`;
}

/** Components of a service, or what a system contains. */
export async function components(desk: Desk): Promise<void> {
  const [first] = await meantSubjects(desk);
  if (first === undefined) return;
  remember(desk, first);
  const looked = await desk.look(searchCis, { search: first.name });
  const names = first.cis.map(({ name, type }) => `${name} (${type.replaceAll('_', ' ')})`);
  if (first.kind === 'ci') return tellNodes(desk, first);
  desk.say(looked)`${first.name} has ${counted(names.length, 'component')}: ${enumeration(names, NAMED)}.`;
  const open = await desk.look(events, { ci: idsOf([first]) });
  if (open.rows.length === 0) desk.say(open)`No event is open on these themselves.`;
  tellEvents(desk, open, open.rows, { most: 6 });
}

/** Relationships by which a thing stands on another one. */
const STANDS: readonly string[] = [...PART_TYPES, 'located_in', 'powered_by', 'network_connection', 'connects_to'];

export const RUNS: readonly string[] = ['runs_on', 'hosted_on', 'instance_of', 'part_of', 'member_of'];

/** One of several things or incidents that may have something in common. */
interface CommonSide {
  readonly name: string;
  readonly cis: readonly CiName[];
  /** CIs whose dependencies count: of an incident its root cause. */
  readonly roots: readonly CiName[];
  readonly row: ToolIncidentRow | null;
  readonly services: readonly string[];
}
const MAX_SIDES = 4;
const MAX_ROOTS = 8;
const MAX_CIS = 200;

async function ofThing({ asking }: Desk, { name, kind, cis }: Thing): Promise<CommonSide> {
  const { ports, tenant, receivedAt, caller } = asking;
  const known = caller.permissions.has('services.read')
    ? await ports.memory.services.of(tenant, receivedAt)
    : new Map();
  const own = kind === 'service' ? [] : cis.flatMap(({ id }) => known.get(id) ?? []);
  const services = [...new Set(own.map((one: { readonly name: string }) => one.name))];
  return { name, cis, roots: cis.slice(0, MAX_ROOTS), row: null, services };
}
async function ofIncident({ asking }: Desk, row: ToolIncidentRow): Promise<CommonSide> {
  const { ports, tenant, caller } = asking;
  const cis = caller.permissions.has('cmdb.read') ? await ports.topology.getCis(tenant, row.cis.slice(0, MAX_CIS)) : [];
  const roots = row.cause?.ci ? [row.cause.ci] : cis.slice(0, MAX_ROOTS);
  return { name: headline(row), cis, roots, row, services: row.services.map(({ name }) => name) };
}

const INCIDENT = /\b(?:thing|problem|incident|outage|issue|group|crash|failure|alert|alarm|trouble|mess|one)s?\b/i;
const PRONOUN = /^(?:it|this|that|this one|that one)$/i;
/** A half of `the tls thing and ups-1`; null: nothing is known by it. */
async function sideOf(desk: Desk, words: string): Promise<CommonSide | null> {
  const { memory, asking } = desk;
  if (PRONOUN.test(words)) {
    const row = memory.incident === undefined ? null : await inFull(desk, memory.incident);
    const [thing] = row === null ? await meantThings(desk) : [];
    return row === null ? (thing === undefined ? null : ofThing(desk, thing)) : ofIncident(desk, row);
  }
  const { things, topic, ids } = await readMessage(asking, words, { current: null });
  const [thing] = subjectsOf(things);
  const isIncident = ids.length > 0 || INCIDENT.test(words) || thing === undefined;
  if (!isIncident) return ofThing(desk, thing);
  const [best] =
    ids.length + things.length + topic.length === 0 ? [] : (await fittingIncidents(desk, { things, topic })).all;
  const row = ids[0] === undefined ? best : await inFull(desk, ids[0]);
  return row == null ? (thing === undefined ? null : ofThing(desk, thing)) : ofIncident(desk, row);
}

/** Texts of the halves of `what did a and b have in common`. */
const halvesOf = (text: string): readonly string[] => {
  const joined = text.replace(/ (?:have|has|had|got|shares?)\b.{0,24}? with /i, ' and ');
  const prefix = /^.{0,40}?\b(?:common (?:to|between|for|of)|do|does|did|have|has|between|by) (?:both )?/i;
  const [own = ''] = joined.replace(prefix, '').split(/ (?:have|had|has|got|shares?|shared|in common)\b/i);
  const halves = withoutTrailing(own, ' ?.!')
    .replace(/ (?:all|both)$/i, '')
    .split(/,? (?:and|with|vs\.?) |, /i);
  return halves.map((half) => half.trim()).filter((half) => half !== '');
};
/** `those two`: the last list, of incidents or of names. */
const OF_LIST =
  /^(?:(?:these|those|the|both|of|them|they|all|first) ?){1,4}(?:two|three)? ?(?:ones?|groups?|incidents?|hosts?|systems?|problems?)?$/i;

const THEY = /\b(?:they|these|those)\b/;
/** `the four cpu steal boxes in fra1`: CIs with events that have all words of the complaint, in the named place. */
async function withComplaint(desk: Desk): Promise<readonly Thing[]> {
  const { topic, things } = desk.reading;
  const places = new Set(idsOf(things.filter(({ kind }) => kind === 'place' || kind === 'family')));
  const looked = topic.length === 0 ? null : await desk.look(events, { time_range: desk.within(7).time_range });
  const inside = (looked?.rows ?? []).filter(({ ciId }) => ciId !== null && (places.size === 0 || places.has(ciId)));
  const best = Math.max(0.5, ...inside.map(({ title }) => speaksOf(title, topic)));
  const rows = inside.filter(({ title }) => speaksOf(title, topic) >= best);
  const ids = [...new Set(rows.flatMap(({ ciId }) => ciId ?? []))];
  const cis = await desk.asking.ports.topology.getCis(desk.asking.tenant, ids.slice(0, MAX_ROOTS));
  return cis.map((ci) => ({ ...ciThing(ci), said: ci.name }));
}

/** The sides of a question; its words for which there is none are mentioned. */
async function sidesOf(desk: Desk): Promise<readonly CommonSide[]> {
  const { reading, memory, asking } = desk;
  const halves = halvesOf(reading.text).slice(0, MAX_SIDES);
  const all = (things: readonly Thing[]) => Promise.all(things.map((thing) => ofThing(desk, thing)));
  const described = THEY.test(reading.shape) ? await withComplaint(desk) : [];
  if (described.length > 1) return all(described);
  if (halves.length === 1 && OF_LIST.test(halves[0] ?? '')) {
    const many = /\b(?:two|both)\b/.test(reading.lower) ? 2 : MAX_SIDES;
    const { incidents: ids = [], list = [] } = memory;
    const rows = (await Promise.all(ids.slice(0, many).map((id) => inFull(desk, id)))).flatMap((row) => row ?? []);
    if (rows.length > 1) return Promise.all(rows.map((row) => ofIncident(desk, row)));
    return all((await findThings(asking, list.slice(0, many).join(', '))).things);
  }
  const found = await Promise.all(halves.map((half) => sideOf(desk, half)));
  const sides = found.flatMap((side) => side ?? []);
  const own = subjectsOf(reading.things);
  if (sides.length < 2 && own.length > 1) return all(own);
  const unknown = halves.filter((_, at) => found[at] === null);
  if (unknown.length > 0) desk.lead.push(`Not found: ${listed(unknown.map(quoted))}.`);
  return sides;
}

const COMMON_FIELDS =
  /^(?:site|location|datacenter|rack|room|environment|env|team|owner|department|vendor|manufacturer|model|os|engine|version)$/i;
const inAll = <T>(all: readonly (readonly T[])[]): readonly T[] =>
  [...new Set(all[0])].filter((one) => all.every((own) => own.includes(one)));
/** `type server`, `site dub3`. */
const textsOf = (ci: Ci): readonly string[] =>
  [['type', ci.type], ...fieldsOf(ci).filter(([name]) => COMMON_FIELDS.test(name))].map((one) =>
    one.join(' ').replaceAll('_', ' '),
  );

const UP = { hops: 4, direction: 'up', limit: 200 } as const;
/** CIs that any of these depends on, the nearest first. */
async function upstreamOf({ asking }: Desk, roots: readonly CiName[], options: NeighbourhoodOptions = UP) {
  const { ports, tenant, caller } = asking;
  const mayRead = caller.permissions.has('cmdb.read');
  const own = mayRead ? roots.slice(0, MAX_ROOTS) : [];
  const found = await Promise.all(own.map(({ id }) => ports.graph.neighbourhood(tenant, id, options)));
  const nodes = found.flatMap((one) => one.nodes.map(({ ci: id, name, type, hops }) => ({ id, name, type, hops })));
  return [...new Map(nodes.toSorted((a, b) => b.hops - a.hops).map((ci) => [ci.id, ci])).values()].toSorted(
    (a, b) => a.hops - b.hops,
  );
}
const isIn =
  (all: readonly CiName[]) =>
  ({ id }: CiName): boolean =>
    all.some((one) => one.id === id);

const typed = (all: readonly CiName[]): string =>
  listed(all.map(({ name, type }) => `${name} (${type.replaceAll('_', ' ')})`));

/** All that things or incidents share: CIs, dependencies, services, incidents, fields, changes. */
async function inCommon(desk: Desk): Promise<void> {
  const sides = await sidesOf(desk);
  for (const thing of desk.reading.things) desk.applied.add(thing);
  const [first, second] = sides;
  if (first === undefined || second === undefined)
    return askWhich(desk, 'Which two systems, services or incidents do you mean?');
  const { ports, tenant, caller } = desk.asking;
  const mayRead = caller.permissions.has('cmdb.read');
  const names = namesOf(sides);
  const own = sides.map(({ cis }) => cis.map(({ id }) => id));
  const rows = sides.flatMap(({ row }) => row ?? []);
  if (rows.length > 1 && rows.every(({ id }) => id === rows[0]?.id))
    return desk.say(rows)`Both are one incident: ${headline(rows[0] as ToolIncidentRow)}.`;
  const members = rows.length === 0 ? [] : inAll(own);
  const above = await Promise.all(sides.map((side) => upstreamOf(desk, side.roots)));
  const shared = (above[0] ?? []).filter((ci) => above.every((all) => isIn(all)(ci)) && !members.includes(ci.id));
  const needed = sides.filter(({ roots: [ci], row }) => row === null && ci && above.some((all) => isIn(all)(ci)));
  const roots = sides.flatMap((side) => side.roots.map(({ id }) => id));
  const fields = mayRead ? inAll((await ports.topology.getCis(tenant, roots)).map(textsOf)) : [];
  const services = inAll(sides.map((side) => side.services));
  const looked = await desk.look(incidents, { time_range: desk.lastDays(30) });
  const together = looked.rows.filter(
    ({ events: size, cis }) =>
      rows.length === 0 && size > 1 && own.every((ids) => ids.some((one) => cis.includes(one))),
  );
  const recent = await desk.look(changes, { time_range: desk.lastDays(7) });
  const near = new Set([...shared.map(({ id }) => id), ...members]);
  const cited = [...sides.flatMap(({ roots: [ci] }) => ci ?? []), ...shared.slice(0, 3)];
  const refs = [...rows, ...cited.map((ci) => desk.findings.ci(ci)), looked];
  if (first.row === null) desk.remember({ subject: first.name, current: first.cis[0]?.id ?? null });
  if (needed.length > 0) desk.say(refs)`One depends on the other: on ${namesOf(needed)}.`;
  if (shared.length > 0) desk.say(refs)`Yes: ${names} share ${typed(shared)}.`;
  if (members.length > 0) desk.say(refs)`Both are on ${typed(first.cis.filter(({ id }) => members.includes(id)))}.`;
  if (services.length > 0) desk.say(refs)`Services of ${names}: ${listed(services)}.`;
  for (const row of together.slice(0, 3))
    desk.say(row)`Both are in the incident that began with ${headline(row)}, ${desk.clock.ago(row.from)}.`;
  if ([shared, needed, members, services, together].every(({ length }) => length === 0))
    desk.say(refs)`Nothing in common found: ${names} share no dependency within 4 hops, no service, and no incident of
      the last 30 days.`;
  if (fields.length > 0)
    desk.say(refs)`${rows.length === 0 ? 'The same' : 'Same of both root causes'}: ${listed(fields)}.`;
  for (const row of recent.rows.filter(({ ciId }) => near.has(ciId ?? '')).slice(0, 3))
    desk.say(row)`Changed ${desk.clock.ago(row.at)}: ${titled(row)}.`;
}

const IN_COMMON =
  /\bin common\b|\bcommon (?:factor|denominator|link|cause|to|between)\b|\bshare[sd]?\b(?!.{0,30}(?:§|\b(?:hosts?|machines?|rack|box|hardware|power|switch)\b))/;

const PHYSICAL = /server|machine|hypervisor|host|rack|switch|power|pdu|site|room|storage|array/i;
/** `the same metal`: what things run on, and not their site or switch. */
const HOST = /\b(?:hosts?|hosted|machines?|hypervisors?|box(?:es)?|metal|hardware|servers?|runs?|running)\b/;
/** Common dependencies of several things: `do a and b run on the same host`, `what do a and b have in common`. */
export async function shared(desk: Desk): Promise<void> {
  if (IN_COMMON.test(desk.reading.shape)) return inCommon(desk);
  const { asking, reading } = desk;
  const { list = [] } = desk.memory;
  const { lower, shape } = reading;
  const named = subjectsOf(reading.things);
  const meant = named.length > 1 || list.length < 2 ? named : (await findThings(asking, list.join(', '))).things;
  const own = meant.filter(({ cis }) => cis.length > 0).slice(0, 4);
  const [first, second] = own;
  if (first === undefined || second === undefined) return askWhich(desk, 'Which two systems do you mean?');
  const type = reading.things.find(({ kind }) => kind === 'type');
  const isOfPlace =
    PHYSICAL.test(type?.name ?? '') ||
    /\b(?:runs?|running|hosted|hosts?|machine|sits?|located|rack|box|hardware)\b/.test(shape);
  const isOfHost = isOfPlace && HOST.test(lower) && !/\b(?:rack|switch|power|site|room|pdu)\b/.test(lower);
  const hops = type === undefined || isOfPlace ? 4 : 2;
  const types = isOfPlace ? { types: isOfHost ? RUNS : STANDS } : {};
  const above = await Promise.all(own.map(({ cis }) => upstreamOf(desk, cis, { ...UP, hops, ...types })));
  const isAnyHost = isOfHost && /^(?:hosts?|machines?|servers?|boxes|box|vms?)$/i.test(type?.said ?? 'host');
  const kinds = new Set(isAnyHost ? [] : type?.cis.map((ci) => ci.type));
  const fitting = above.map((all) => all.filter((ci) => kinds.size === 0 || kinds.has(ci.type)));
  const common = (fitting[0] ?? []).filter((ci) => fitting.every((all) => isIn(all)(ci)));
  const cited = [...own.flatMap(({ cis: [ci] }) => ci ?? []), ...common.slice(0, 3)];
  const refs = cited.map((ci) => desk.findings.ci(ci));
  const kind =
    type?.said ?? (isOfHost ? 'host' : isOfPlace ? 'host, rack, switch or power feed' : 'dependency within 4 hops');
  const names = namesOf(own);
  const unknown = own.flatMap(({ name }, at) => ((fitting[at] ?? []).length > 0 ? [] : [name]));
  remember(desk, first);
  const isApart = /\b(?:separate|different)\b/.test(desk.reading.shape);
  const [yes, no] = isApart ? ['No', 'Yes'] : ['Yes', 'No'];
  if (common.length > 0) return desk.say(refs)`${yes}: ${names} share ${typed(common)}.`;
  if (unknown.length > 0) desk.say(refs)`Not known: no ${kind} is recorded for ${listed(unknown)}.`;
  else desk.say(refs)`${no}: ${names} have no common ${kind}.`;
  for (const [at, { name }] of type === undefined && !isOfHost ? [] : own.entries()) {
    const nodes = (fitting[at] ?? []).slice(0, 4);
    if (nodes.length > 0) desk.say(refs)`${name}: ${namesOf(nodes)}.`;
  }
}
