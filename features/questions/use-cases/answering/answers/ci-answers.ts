import { slices } from '#domain/slices.ts';
import { CI_STATUSES, type Ci, PART_TYPES } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { RANKED } from '#features/questions/rules/asking/settled-intent.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSameEnvironment } from '#features/questions/rules/grammar/tenant-names.ts';
import { tenantNames } from '#features/questions/use-cases/queries/read-query.ts';
import { ciDetails, searchCis } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, ignored, listed, quoted, some } from '../desk.ts';
import { askWhich, meantSubjects, refersBack, talkThings, unknownNames } from '../meant-things.ts';
import { contextOf, faultsIn, SEVERE, tellEvents } from '../tell-events.ts';
import { findThings, idsOf, isPlaceType, type Thing } from '../things.ts';

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
    /\b(?:what|which|who|everything|anything|list|show|how many|vms?|§)\b.{0,40}\b(?:depends?|depending|rely|relies|uses?|needs?|runs?|running|hosted|hangs?|attached|plugged|cabled|wired|requires?|sits?|lives?|stands?)\b/,
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
export const fieldsOf = ({ attributes, customFields }: Ci): [string, string][] =>
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
  const place = others.find(({ kind }) => kind === 'place');
  desk.remember({ subject: (place ?? head)?.name, list: own.slice(0, 8).map(({ name }) => name), incident: undefined });
  // `it` is still what they stand on.
  const owner = others.find(({ kind }) => kind === 'ci');
  if (owner !== undefined) desk.rememberThing(owner);
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

/** Components of a service, or what a system contains. */
export async function components(desk: Desk): Promise<void> {
  const [first] = await meantSubjects(desk);
  if (first === undefined) return;
  remember(desk, first);
  const looked = await desk.look(searchCis, { search: first.name });
  const names = first.cis.map(({ name, type }) => `${name} (${type.replaceAll('_', ' ')})`);
  if (first.kind === 'ci') return void (await attribute(desk));
  desk.say(looked)`${first.name} has ${counted(names.length, 'component')}: ${enumeration(names, NAMED)}.`;
  const open = await desk.look(events, { ci: idsOf([first]) });
  if (open.rows.length === 0) desk.say(open)`No event is open on these themselves.`;
  tellEvents(desk, open, open.rows, { most: 6 });
}

/** Relationships by which a thing stands on another one. */
export const STANDS: readonly string[] = [
  ...PART_TYPES,
  'located_in',
  'powered_by',
  'network_connection',
  'connects_to',
];

export const RUNS: readonly string[] = ['runs_on', 'hosted_on', 'instance_of', 'part_of', 'member_of'];
