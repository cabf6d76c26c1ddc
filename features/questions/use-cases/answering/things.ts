import { parseEventId } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { isNearly } from '#domain/search/nearly.ts';
import { stemOf } from '#domain/search/stem.ts';
import { withoutTrailing } from '#domain/text.ts';
import type { Ci, Direction } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { isNameLike, PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { isComplaint } from '#features/questions/rules/asking/speaks-of.ts';
import { meantCiTypes, namedCiTypes, plain, type TenantNames } from '#features/questions/rules/grammar/tenant-names.ts';
import { corrected, QUOTED_TEXTS } from '#features/questions/rules/grammar/tokens.ts';
import { CI_TYPES, COMPLAINTS, STOP, VOCABULARY } from '#features/questions/rules/grammar/words.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { everyPerson } from '#features/questions/use-cases/queries/people.ts';
import { tenantNames } from '#features/questions/use-cases/queries/read-query.ts';
import type { ToolServiceRow } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';

/** Something that a message names. */
export interface Thing {
  readonly kind: 'ci' | 'service' | 'type' | 'place' | 'family' | 'host';
  readonly name: string;
  /** Words of the message. */
  readonly said: string;
  readonly id: string | null;
  /** The CI itself, components, or members. */
  readonly cis: readonly CiName[];
  /** Found in spite of a typing error, or by a part of its name. */
  readonly isGuess: boolean;
}
type UnsaidThing = Omit<Thing, 'said'>;
const nameOf = ({ id, name, type }: CiName): CiName => ({ id, name, type });
/** A CI as a thing, without the words for it. */
export const ciThing = (ci: CiName, isGuess = false): UnsaidThing => {
  return { kind: 'ci', name: ci.name, id: ci.id, cis: [nameOf(ci)], isGuess };
};
const several = (kind: Thing['kind'], name: string, cis: readonly CiName[], isGuess = false): UnsaidThing => {
  return { kind, name, id: null, cis, isGuess };
};
/** A service by a row of its health. */
export const serviceThing = ({ id, name, components }: ToolServiceRow): Thing => {
  const cis = components.map((one) => ({ id: one, name, type: '' }));
  return { kind: 'service', name, said: name, id, cis, isGuess: false };
};

export const idsOf = (things: readonly Thing[]): string[] => things.flatMap(({ cis }) => cis.map(({ id }) => id));
/** True for rows of one of the CIs. */
export const isOnAny = (things: readonly Thing[]) => {
  const ids = new Set(idsOf(things));
  return ({ ciId }: { readonly ciId: string | null }): boolean => ids.has(ciId ?? '');
};

/** `the firewall in dub3`: CIs of a type within a place or a family, as one thing. */
export function narrowed(things: readonly Thing[]): readonly Thing[] {
  const isPlace = ({ kind }: Thing): boolean => kind === 'place';
  const [type, ...types] = things.filter(
    (one) => one.kind === 'type' || (one.kind === 'family' && things.some(isPlace)),
  );
  const [place, ...places] = things.filter((one) => one !== type && (isPlace(one) || one.kind === 'family'));
  if (type === undefined || place === undefined || types.length + places.length > 0 || things.length > 2) return things;
  const ids = new Set(idsOf([place]));
  const cis = type.cis.filter(({ id }) => ids.has(id));
  return cis.length === 0
    ? things
    : [
        {
          ...place,
          kind: 'family',
          id: null,
          name: place.kind === 'place' ? `${type.said} in ${place.name}` : `${place.name} ${type.said}`,
          cis,
        },
      ];
}

/** The one CI that two neighbors in a text mean: `esx-07 in dublin`, `the san in dub3`; null: they do not. */
function oneOf(text: string, pair: readonly [Thing, Thing]): Thing | null {
  const [one, other] = pair;
  const begin = text.toLowerCase().indexOf(one.said.toLowerCase());
  const end = text.toLowerCase().indexOf(other.said.toLowerCase(), begin) + other.said.length;
  const said = text.slice(begin, end);
  const between = said.slice(one.said.length, said.length - other.said.length);
  const isSingle = /\b(?:the|our|that|this) $/i.test(text.slice(0, begin)) && !/[^s]s$/i.test(said);
  const [found = one, second] = narrowed(pair);
  const [ci, ...cis] = found.cis;
  const isOne = second === undefined && found !== one && cis.length === 0;
  const isMeant = isOne && (isSingle || pair.every(({ kind }) => kind !== 'type'));
  return isMeant && ci !== undefined && /^ (?:(?:in|at|of|on|from) (?:the )?)?$/i.test(between)
    ? { ...ciThing(ci, true), said }
    : null;
}
/** Things of a text and its shape, with one thing in place of two that mean one CI. */
export function joined(
  text: string,
  shape: string,
  things: readonly Thing[],
): Pick<Draft, 'things'> & { shape: string } {
  const parts = shape.split('§');
  const pairs = parts.length === things.length + 1 ? zip(things.slice(0, -1), things.slice(1)) : [];
  for (const [at, pair] of pairs.entries()) {
    const one = oneOf(text, pair);
    if (one === null) continue;
    return { things: things.toSpliced(at, 2, one), shape: parts.toSpliced(at + 1, 1).join('§') };
  }
  return { things: [...things], shape };
}

const MAX_TERMS = 60;
const MAX_MEMBERS = 1_000;
const MAX_FAMILY = 60;

/** `db3`: db-3, db-03, db3; `atm 17`: atm-17, atm-017, atm-0017. */
function spellings(term: string): string[] {
  const parts = term.toLowerCase().match(/^(.*?[a-z])[\s_-]?(\d{1,4})$/);
  if (parts === null) return [term, term.replaceAll(' ', '-')];
  const [, stem = '', digits = ''] = parts;
  const number = String(Number(digits));
  const numbers = [digits, number, ...[2, 3, 4].map((length) => number.padStart(length, '0'))];
  const stems = [stem, stem.replaceAll(' ', '-')];
  return [term, ...stems.flatMap((one) => numbers.flatMap((n) => [`${one}-${n}`, `${one}${n}`, `${one}_${n}`]))];
}

const cisOf = async ({ tenant, ports }: Asking, ids: readonly string[]): Promise<CiName[]> =>
  ids.length === 0 ? [] : (await ports.topology.getCis(tenant, ids.slice(0, MAX_MEMBERS))).map(nameOf);

/** The CI of each term, by ID, name or address; null: none, or several. */
async function bound({ tenant, ports }: Asking, terms: readonly string[]) {
  const asked = [...new Set(terms.flatMap(spellings))].slice(0, 400);
  const keys = asked.map((text) => ({ ciId: text, hostname: text, ipAddress: text, hints: [text] }));
  const byText = new Map(zip(asked, await ports.matcher.bind(tenant, keys)));
  const ciOf = (term: string) => spellings(term).flatMap((one) => byText.get(one)?.ci ?? [])[0] ?? null;
  return new Map(terms.map((term) => [term, ciOf(term)] as const));
}

const listedCis = async ({ tenant, ports }: Asking, filter: CiFilter, limit = MAX_MEMBERS): Promise<CiName[]> =>
  (await ports.topology.findCis(tenant, filter, { sort: 'name', order: 'asc', limit })).items.map(nameOf);
const searched = (asking: Asking, search: string): Promise<CiName[]> => listedCis(asking, { search }, MAX_FAMILY);

/** The newest events that fit; none to a caller who may not read them. */
export const newestEvents = async ({ tenant, ports, caller }: Asking, filter: EventFilter, limit = 1) =>
  caller.permissions.has('events.read')
    ? (await ports.events.part(tenant, filter, { sort: 'timestamp', order: 'desc', limit })).items
    : [];

/** Words that no title of an event has. */
export async function unheardOf(asking: Asking, all: readonly string[]): Promise<readonly string[]> {
  if (!asking.caller.permissions.has('events.read')) return [];
  const isKnown = await Promise.all(
    all.map(async (word) => isComplaint(word) || (await newestEvents(asking, { search: stemOf(word) })).length > 0),
  );
  return all.filter((_, at) => !isKnown[at]);
}

const partsOf = (name: string): string[] => name.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** CIs a part of whose name is the word: `netbank`, `rac`. */
const family = async (asking: Asking, word: string): Promise<CiName[]> =>
  (await searched(asking, word)).filter(
    ({ name }) =>
      partsOf(name).some((part) => part === word || withoutTrailing(part, '0123456789') === word) ||
      (word.length > 3 && name.toLowerCase().startsWith(word)),
  );

/** `fra1-mq-01` and `ams2-mq-01`: CIs whose names differ in their first part, with the CI itself. */
async function withTail(asking: Asking, tail: string): Promise<CiName[]> {
  return tail.length < 4 ? [] : (await searched(asking, tail.slice(1))).filter(({ name }) => name.endsWith(tail));
}
const tailOf = (name: string): string => name.slice(name.indexOf('-'));

/** The only other CI whose name differs in the number at its end: the other one of two. */
export async function otherOf(asking: Asking, { id, name }: CiName): Promise<CiName | undefined> {
  const stem = withoutTrailing(name, '0123456789');
  const all = stem === name || stem.length < 2 ? [] : await searched(asking, stem);
  const [only, second] = all.filter((one) => one.id !== id && withoutTrailing(one.name, '0123456789') === stem);
  if (only !== undefined) return second === undefined ? only : undefined;
  const [twin, third] = (await withTail(asking, tailOf(name))).filter((one) => one.id !== id);
  return third === undefined ? twin : undefined;
}

/** `the frankfurt one`: the only CI whose name differs in its first part, the code of that place. */
export async function twinAt(asking: Asking, name: string, place: string): Promise<CiName | undefined> {
  const tail = tailOf(name);
  if (tail === name || !asking.caller.permissions.has('cmdb.read')) return undefined;
  const isThere = (one: CiName): boolean => {
    const code = withoutTrailing(one.name.slice(0, -tail.length).toLowerCase(), '0123456789');
    return one.name !== name && code.length > 1 && place.toLowerCase().startsWith(code);
  };
  const [only, second] = (await withTail(asking, tail)).filter(isThere);
  return second === undefined ? only : undefined;
}

/** Removes punctuation and leading zeros: `core-app-01` becomes `coreapp1`. */
const bare = (name: string): string =>
  partsOf(name)
    .join('')
    .replaceAll(/(?<!\d)0+(?=\d)/g, '');
const numbersIn = (name: string): string => (bare(name).match(/\d+/g) ?? []).join(' ');

/** Each part is the same, or is long and has one letter wrong. */
function isMistyped(word: string, name: string): boolean {
  const [said, parts] = [partsOf(word), partsOf(name)];
  const isPart = (one: string, other: string): boolean => one === other || (one.length > 3 && isNearly(one, other));
  return said.length === parts.length && zip(said, parts).every(([one, other]) => isPart(one, other));
}

/** Names of CIs that differ from the name in its last part, or by a typing error. */
export async function likeNames(asking: Asking, name: string): Promise<readonly string[]> {
  if (!asking.caller.permissions.has('cmdb.read')) return [];
  const { tenant, ports } = asking;
  const stem = name.replace(/[._-]?[^._-]*$/, '');
  const [near, items, hits] = await Promise.all([
    alike(asking, name),
    stem.length < 3 ? [] : searched(asking, stem),
    ports.searchIndex.search(tenant, { words: partsOf(name), alike: partsOf(name), kinds: ['ci'], limit: 5 }),
  ]);
  const begin = items.filter((ci) => ci.name.toLowerCase().startsWith(stem.toLowerCase()));
  const found = [...near, ...begin].map((ci) => ci.name);
  const all = found.length > 0 ? found : hits.map(({ document }) => document.title);
  return [...new Set(all)].slice(0, MAX_LIKE);
}
const MAX_LIKE = 5;

/** Names like the word, where it was mistyped. */
async function alike(asking: Asking, word: string): Promise<CiName[]> {
  if (word.length < 4) return [];
  const { tenant, ports } = asking;
  const parts = partsOf(word);
  const hits = await ports.searchIndex.search(tenant, { words: parts, alike: parts, kinds: ['ci'], limit: 20 });
  const start = word.slice(0, Math.max(2, Math.floor(word.length / 2)));
  // One of its parts is right, if another one is mistyped.
  const starts = [start, ...parts.filter((part) => part.length > 3).slice(0, 3)];
  const found = await Promise.all([...new Set(starts)].map((search) => searched(asking, search)));
  const named = [...hits.map(({ document: { id, title } }) => ({ id, name: title, type: '' })), ...found.flat()];
  const exact = named.filter(({ name }) => bare(name) === bare(word));
  // `core-07` is no typing error of `core-01`.
  const isLike = (name: string): boolean => numbersIn(name) === numbersIn(word) && isMistyped(word, name);
  const near = exact.length > 0 ? exact : named.filter(({ name }) => isLike(name));
  return cisOf(asking, [...new Set(near.map(({ id }) => id))]);
}

const PLACE = /site|data.?cent|location|room|rack|building|region|zone|campus|branch|floor/i;

export const isPlaceType = (type: string): boolean => PLACE.test(type);

const PLACE_FIELDS = (['attributes', 'customFields'] as const).flatMap((bag) =>
  ['location', 'site', 'datacenter', 'city'].map((field) => ({ bag, name: field })),
);
/** CIs in a place: by relationships, by an attribute, and by names that begin with it. */
async function inPlace(asking: Asking, name: string, ci: CiName | null): Promise<CiName[]> {
  const { tenant, ports } = asking;
  const lower = name.toLowerCase();
  const values = new Set([name, lower, name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1)]);
  const fields = [...values].flatMap((value) => PLACE_FIELDS.map((field) => ({ ...field, value })));
  const [near, begins, ...located] = await Promise.all([
    ci === null ? null : ports.graph.neighbourhood(tenant, ci.id, { hops: 3, direction: 'down', limit: MAX_MEMBERS }),
    ci === null ? [] : listedCis(asking, { search: `${name}-` }),
    ...fields.map((field) => listedCis(asking, { fields: [field] })),
  ]);
  const all = [
    ...(ci === null ? [] : [ci]),
    ...(near?.nodes ?? []).map((node) => ({ id: node.ci, name: node.name, type: node.type })),
    ...begins.filter((one) => one.name.toLowerCase().startsWith(`${lower}-`)),
    ...located.flat(),
  ];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

const singular = (word: string): string[] => [
  word,
  ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
  ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
  ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
];
const TYPE_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    db: 'database database_server',
    database: 'database database_server',
    vm: 'virtual_machine server',
    host: 'server',
    machine: 'server',
    lb: 'load_balancer',
    'load balancer': 'load_balancer',
    loadbalancer: 'load_balancer',
    san: 'storage storage_array san',
    array: 'storage storage_array',
    storage: 'storage storage_array',
    'cash machine': 'atm',
    hypervisor: 'hypervisor esx vmware_host',
    app: 'application',
    network: 'switch router firewall load_balancer network_device',
    'core switch': 'switch',
  }),
);
async function around({ tenant, ports }: Asking, cis: readonly CiName[], hops: number, direction: Direction) {
  const options = { hops, direction, limit: 200 };
  const found = await Promise.all(cis.map(({ id }) => ports.graph.neighbourhood(tenant, id, options)));
  return new Set(found.flatMap(({ nodes }) => nodes.map(({ ci }) => ci)));
}

/** CIs of a type that a CI or a service needs, the nearest: `its database`. */
async function neededOf(asking: Asking, owner: Thing, { cis }: Thing): Promise<readonly CiName[]> {
  const own = new Set(owner.kind === 'service' ? idsOf([owner]) : []);
  for (const hops of [0, 1, 2, 3]) {
    const near = hops === 0 ? own : await around(asking, owner.cis.slice(0, MAX_OWNERS), hops, 'up');
    const found = cis.filter(({ id }) => near.has(id));
    if (found.length > 0) return found;
  }
  return [];
}
const MAX_OWNERS = 20;

/** The CIs of a type that a thing needs: `and the db?` behind a question about an application. */
export async function kindOf(asking: Asking, owner: Thing | undefined, type: Thing | undefined) {
  if (owner === undefined || type?.kind !== 'type' || !['ci', 'service'].includes(owner.kind)) return null;
  const cis = await neededOf(asking, owner, type);
  const [only] = cis;
  if (only === undefined) return null;
  const name = `${type.said} of ${owner.name}`;
  return cis.length === 1 ? { ...ciThing(only), said: type.said } : ({ ...type, kind: 'family', name, cis } as const);
}

/** CIs behind `§ and its §` that belong to the one before, by relationship or name; without any a name is unknown. */
export async function ofOwner(asking: Asking, shape: string, things: readonly Thing[]) {
  const [type, user] = things;
  const needed = OF_KIND.test(shape) && things.length === 2 ? await kindOf(asking, user, type) : null;
  if (needed !== null) return { things: [needed], lost: [] };
  const before = (shape.split(OF_OWN)[0]?.split('§').length ?? 1) - 1;
  const [owner, own] = [things[before - 1], things[before]];
  const [ci] = owner?.cis ?? [];
  const isType = own?.kind === 'type';
  const isOwner = owner?.kind === 'ci' || (isType && owner?.kind === 'service');
  if (!OF_OWN.test(shape) || ci === undefined || !isOwner || own === undefined) return { things, lost: [] };
  const cis = await (isType ? neededOf(asking, owner, own) : relatedTo(asking, ci, own));
  const [only] = cis;
  const name = `${own.said} of ${owner.name}`;
  if (only === undefined)
    return isType ? { things, lost: [] } : { things: things.filter((one) => one !== own), lost: [name] };
  const kind = isType ? 'family' : own.kind;
  const found: Thing = cis.length === 1 ? { ...ciThing(only), said: own.said } : { ...own, kind, name, cis };
  return { things: things.map((one) => (one === own ? found : one)), lost: [] };
}

/** The things with the hosts of their CIs, on which monitors report their faults: a database with its machine. */
export async function withHosts(asking: Asking, things: readonly Thing[]): Promise<readonly Thing[]> {
  if (!asking.caller.permissions.has('cmdb.read')) return things;
  const { ports, tenant } = asking;
  const hosted = async (thing: Thing): Promise<Thing> => {
    const options = { hops: 1, direction: 'up', limit: 200, types: HOSTED } as const;
    const own = thing.kind === 'place' ? [] : thing.cis.slice(0, MAX_HOSTED);
    const found = await Promise.all(own.map(({ id }) => ports.graph.neighbourhood(tenant, id, options)));
    const hosts = found.flatMap(({ nodes }) => nodes.map(({ ci, name, type }) => ({ id: ci, name, type })));
    return { ...thing, cis: [...new Map([...thing.cis, ...hosts].map((one) => [one.id, one])).values()] };
  };
  return Promise.all(things.map(hosted));
}
const HOSTED = ['runs_on', 'hosted_on', 'instance_of'] as const;
const MAX_HOSTED = 100;

async function relatedTo(asking: Asking, ci: CiName, { cis }: Thing): Promise<readonly CiName[]> {
  const near = await around(asking, [ci], 1, 'both');
  const stem = ci.name.toLowerCase().replace(/[^._-]*$/, '');
  const others = cis.filter(({ id }) => id !== ci.id);
  const related = others.filter(({ id }) => near.has(id));
  const named = others.filter(({ name }) => stem.length > 2 && name.toLowerCase().startsWith(stem));
  return related.length > 0 ? related : named;
}
/** `did the database of § have problems`: about the database. */
const OF_KIND = /^(?:and |so )?(?:did|does|do|has|have|was|were|is|are|any|why|when|since|how)\b.*§ of (?:the )?§/;
const OF_OWN = /(?<=§) (?:and|or|with) its (?=§)/;

interface Draft {
  rest: string;
  readonly text: string;
  readonly things: Thing[];
}
const isThere = ({ rest }: Draft, said: string): boolean => rest.toLowerCase().includes(said.toLowerCase());
/** Removes the text, so that nothing else matches it. */
const take = (draft: Draft, said: string, thing: UnsaidThing): void => {
  if (!isThere(draft, said)) return;
  const at = draft.rest.toLowerCase().indexOf(said.toLowerCase());
  draft.rest = `${draft.rest.slice(0, at)} § ${draft.rest.slice(at + said.length)}`;
  if (!draft.things.some(({ kind, name }) => kind === thing.kind && name === thing.name))
    draft.things.push({ ...thing, said });
};
/** CIs that a word means: one, or a family of them. */
const takeAny = (draft: Draft, word: string, cis: readonly CiName[], isGuess: boolean): void => {
  const [only, other] = cis;
  if (only !== undefined)
    take(draft, word, other === undefined ? ciThing(only, true) : several('family', word, cis, isGuess));
};

const words = (text: string): string[] =>
  text.match(/[\p{L}\p{N}][\p{L}\p{N}._:'-]*/gu)?.map((word) => withoutTrailing(word, "._:'-").replace(/'s$/, '')) ??
  [];
const isOwnWord = (word: string): boolean => !PLAIN.has(word.toLowerCase()) && !STOP.has(word.toLowerCase());
/** Neither a word of questions nor nearly one. */
const isStrange = (word: string): boolean =>
  word.length > 4 &&
  !PLAIN.has(word) &&
  !VOCABULARY.spellings.has(word) &&
  corrected(word, VOCABULARY.spellings) === word;

type NamedService = TenantNames['services'][number];
async function takeService(asking: Asking, draft: Draft, said: string, { id, name }: NamedService, isGuess: boolean) {
  const known = await asking.ports.memory.services.of(asking.tenant, asking.receivedAt);
  const service = [...known.values()].flat().find((one) => one.id === id);
  const cis = await cisOf(asking, service?.components.map(({ ciId }) => ciId) ?? []);
  take(draft, said, { kind: 'service', name, id, cis, isGuess });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
async function takeServices(asking: Asking, draft: Draft): Promise<void> {
  const { services: named } = await tenantNames(asking);
  for (const service of named.toSorted((a, b) => b.name.length - a.name.length)) {
    const pattern = plain(service.name).trim().split(' ').map(escaped).join('[\\s_-]+');
    const said = draft.rest.match(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu'))?.[0];
    if (said === undefined) continue;
    // A service `Status` is meant only where it is called a service, or is written with a capital.
    const isWord = !said.includes(' ') && [VOCABULARY.words, PLAIN].some((known) => known.has(said.toLowerCase()));
    const isCalled = new RegExp(`\\bservice ${said}\\b|\\b${said} service\\b`, 'i').test(draft.rest);
    if (!isWord || isCalled || (/^\p{Lu}/u.test(said) && !draft.rest.trim().startsWith(said)))
      await takeService(asking, draft, said, service, false);
  }
}

/** A word that begins or ends the name of one service alone: `SWIFT`, `fraud`. */
async function partOfService(asking: Asking, draft: Draft, word: string, isFirst: boolean): Promise<boolean> {
  const { services: named } = await tenantNames(asking);
  const [only, other] = named.filter(({ name }) => {
    const parts = plain(name).trim().split(' ');
    return isFirst ? parts[0] === word : parts.includes(word);
  });
  if (only === undefined || other !== undefined) return false;
  await takeService(asking, draft, word, only, true);
  return true;
}

const NAMED =
  /(?:^|\b(?:on|with|for|about|of|in|to|is|are|and|or|vs|compare) )(?:the |our |my )?(\p{L}{4,30})(?=$| (?:app|application|service|database|db|cluster|host|server|box|vm|node|machine|team)\b|[ ,]*[?.!,¤]| (?:at|around|about|between|today|now|right|since|last)\b)/giu;

/** `two lines for our customers about`: readers of an answer. */
const AUDIENCE =
  /\b(?:for|to) (?:the |our |my )?(?:customers?|users?|clients?|managers?|management|boss(?:es)?|team|public)\b(?= (?:about|on|of|with|regarding)\b|[ ?.!]*$)/i;
const PATH = /(?<![\p{L}\p{N}._/-])[\p{L}\p{N}][\p{L}\p{N}._-]*\/[\p{L}\p{N}._/-]+/gu;
/** `shop/cart` is one name, and not that of the service `cart`. */
async function takePaths(asking: Asking, draft: Draft): Promise<void> {
  const paths = (draft.rest.match(PATH) ?? []).map((path) => withoutTrailing(path, './-'));
  const found = paths.length === 0 ? [] : await bound(asking, paths);
  for (const [path, ci] of found) if (ci !== null) take(draft, path, ciThing(ci));
}

async function takeCis(asking: Asking, draft: Draft, sure: readonly string[]): Promise<void> {
  const all = words(draft.rest.replace(AUDIENCE, ' '));
  const rows = [2, 3].flatMap((n) => all.map((_, i) => all.slice(i, i + n)).filter((row) => row.length === n));
  const joined = rows.filter((row) => row.some(isOwnWord)).map((row) => row.join(' '));
  const single = all.filter((word) => isNameLike(word) || (isOwnWord(word) && word.length > 1));
  // `what about search at 8pm`: a word of the language where only a name is possible.
  const common = [...draft.rest.replace(AUDIENCE, ' ').matchAll(NAMED)].flatMap(([, word = '']) =>
    PLAIN.has(word.toLowerCase()) ? [word] : [],
  );
  const terms = [...new Set([...sure, ...joined, ...single, ...common])].slice(0, MAX_TERMS);
  if (terms.length === 0) return;
  const found = await bound(asking, terms);
  for (const term of terms.toSorted((a, b) => b.length - a.length)) {
    const ci = found.get(term);
    if (ci == null || !isThere(draft, term)) continue;
    const thing = ciThing(ci, plain(ci.name).trim() !== plain(term).trim());
    const cis = isPlaceType(ci.type) ? await inPlace(asking, ci.name, nameOf(ci)) : null;
    take(draft, term, cis === null ? thing : { ...thing, kind: 'place', cis });
  }
}

async function takeTypes(asking: Asking, draft: Draft): Promise<void> {
  const names = await tenantNames(asking);
  const all = words(draft.rest.toLowerCase());
  const pairs = all.slice(0, -1).map((word, i) => `${word} ${all[i + 1] ?? ''}`);
  for (const said of [...pairs, ...all]) {
    const forms = singular(said);
    const aliases = forms.flatMap((form) => [
      form,
      ...(TYPE_ALIASES.get(form)?.split(' ') ?? []),
      CI_TYPES.get(form) ?? form,
    ]);
    const types = [...new Set(aliases.flatMap((form) => namedCiTypes(form, names)))];
    if (types.length === 0) types.push(...forms.flatMap((form) => meantCiTypes(form, names)));
    if (types.length > 0 && isThere(draft, said))
      take(draft, said, several('type', types[0] ?? said, await listedCis(asking, { types })));
  }
}

/** `mobile gatway`: two words of one name, of which one is mistyped. */
async function takePairs(asking: Asking, draft: Draft): Promise<void> {
  const all = words(draft.rest.toLowerCase());
  const isUnknown = (word: string): boolean => isStrange(word) && !STOP.has(word);
  for (const [i, word] of all.slice(0, -1).entries()) {
    const next = all[i + 1] ?? '';
    if (PLAIN.has(word) || PLAIN.has(next) || !(isUnknown(word) || isUnknown(next))) continue;
    const [only, other] = await alike(asking, `${word}-${next}`);
    if (only !== undefined && other === undefined) take(draft, `${word} ${next}`, ciThing(only, true));
  }
}

async function takeFamilies(asking: Asking, draft: Draft): Promise<void> {
  const isSubject = (word: string): boolean =>
    new RegExp(`^(?:is|are|was|were|how(?: is|'s)) (?:the|our) ${word}\\b`, 'i').test(draft.rest.trim());
  const left = [...new Set(words(draft.rest).map((word) => word.toLowerCase()))].filter(
    (word) =>
      word.length > 1 &&
      !PLAIN.has(word) &&
      !isNameLike(word) &&
      (!VOCABULARY.words.has(word) || (COMPLAINTS.has(word) && isSubject(word))),
  );
  for (const word of left.slice(0, 12)) {
    if (!isThere(draft, word) || (await takeCode(asking, draft, word))) continue;
    if (await partOfService(asking, draft, word, true)) continue;
    const members = await family(asking, word);
    takeAny(draft, word, members, false);
    if (members.length > 0 || (await partOfService(asking, draft, word, false))) continue;
    const placed = await inPlace(asking, word, null);
    if (placed.length > 0) take(draft, word, several('place', word, placed));
    else await takeCity(asking, draft, word);
  }
}

/** `ams`: the letters of the only site whose code begins with them. */
async function takeCode(asking: Asking, draft: Draft, word: string): Promise<boolean> {
  const { tenant, ports } = asking;
  const types = /^\p{L}{3,4}$/u.test(word) ? (await tenantNames(asking)).ciTypes.filter(isPlaceType) : [];
  if (types.length === 0) return false;
  const page = { sort: 'name', order: 'asc', limit: MAX_MEMBERS } as const;
  const { items } = await ports.topology.findCis(tenant, { types, search: word }, page);
  const [only, other] = items.filter(({ name }) => withoutTrailing(name.toLowerCase(), '0123456789') === word);
  if (only === undefined || other !== undefined) return false;
  take(draft, word, { ...several('place', only.name, await inPlace(asking, only.name, only)), id: only.id });
  return true;
}

/** Words behind `in`, `at` and `from` that begin like a city. */
const NO_CITY: ReadonlySet<string> = new Set(
  wordsIn(
    'general particular parallel principle production practice progress addition advance common charge total detail details short summary theory order part public question reality sequence series turn development staging testing random least length large work home scratch beginning person frames memory error stage limbo sync flight mind',
  ),
);
const CITY_FIELD = /^(?:city|town|location|address|campus|metro|region|country)$/i;
const placeSaid = (word: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_-])${word} (?=§)|^(?:(?:and|so) )?(?:can|could|will|would|does|did|has|what about|without) (?:the )?${word}(?![\\p{L}\\p{N}_-])|^(?:(?:and|so|is|are|was|how is|how's|what about) )*(?:the )?${word}(?= (?:is|was|ok|okay|all|and|still|now|green|down|fine|up|again|looks)\\b|[ ?.!,]*$)|§ (?:on )?${word}(?![\\p{L}\\p{N}_-])|\\b(?:in|at|from|near|within|inside|across) (?:the |our )?${word}(?![\\p{L}\\p{N}_-])|(?<![\\p{L}\\p{N}_-])${word} (?:outages?|incidents?|problems?|issues?|trouble|mess|network|power|storage|sites?|data ?cent(?:er|re)s?|dcs?|office|campus|location|building|region)\\b`,
    'iu',
  );

/** `dublin`: a field of a site, or the word for the site dub3 whose letters begin it, where only a place is possible. */
async function takeCity(asking: Asking, draft: Draft, word: string): Promise<void> {
  const types = (await tenantNames(asking)).ciTypes.filter(isPlaceType);
  if (!/^\p{L}{4,}$/u.test(word) || types.length === 0) return;
  const page = { sort: 'name', order: 'asc', limit: MAX_MEMBERS } as const;
  const sites = (await asking.ports.topology.findCis(asking.tenant, { types }, page)).items;
  const isIn = ({ attributes, customFields }: Ci): boolean =>
    Object.entries({ ...attributes, ...customFields }).some(
      ([name, value]) => CITY_FIELD.test(name) && partsOf(String(value)).includes(word),
    );
  const known = sites.filter(isIn);
  const isCode = ({ name }: Ci): boolean => {
    const letters = withoutTrailing(name.toLowerCase(), '0123456789-_');
    return letters.length >= 3 && letters.length < name.length && word.startsWith(letters);
  };
  const isSaid = [draft.text, draft.rest.replaceAll(/\s+/g, ' ')].some((text) => placeSaid(word).test(text));
  const mayBe = known.length === 0 && isSaid && !NO_CITY.has(word);
  const [only, other] = mayBe ? sites.filter(isCode) : known;
  if (only === undefined || other !== undefined || (mayBe && (await isOtherName(asking, word)))) return;
  take(draft, word, { ...several('place', only.name, await inPlace(asking, only.name, only), true), id: only.id });
}

/** A word of a title, a complaint, a host or a user. */
async function isOtherName(asking: Asking, word: string): Promise<boolean> {
  if (isComplaint(word) || (await everyPerson(asking)).some(({ words: own }) => own.includes(word))) return true;
  const heard = [{ search: word }, { hosts: [canonicalHost(word)] }].map((one) => newestEvents(asking, one));
  return (await Promise.all(heard)).some(({ length }) => length > 0);
}

/** `p99`, `5xx`: a short word of a title is no name. */
async function isInTitles(asking: Asking, word: string): Promise<boolean> {
  if (!/^(?:[\p{L}\d]{2,8}|\p{L}+-\p{L}+\d{0,4})$/u.test(word)) return false;
  const items = await newestEvents(asking, { search: word });
  const wordsOf = (title: string): string[] => title.toLowerCase().split(/[^\p{L}\p{N}-]+/u);
  return items.some(({ title }) => wordsOf(title).includes(word.toLowerCase()));
}

const PARTED = /^\p{L}+(?:-[\p{L}\d]+)+$/u;

/** `mail-01` of fra1-mail-01 and ams2-mail-01: whole parts of a name. */
const namedWithin = async (asking: Asking, word: string): Promise<CiName[]> =>
  (await searched(asking, word.toLowerCase())).filter(({ name }) =>
    `-${name.toLowerCase()}-`.replaceAll(/[._]/g, '-').includes(`-${word.toLowerCase()}-`),
  );

/** Hosts of events that are no CIs, and names that were mistyped; the others are missing. */
async function takeRest(asking: Asking, draft: Draft, sure: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  const mayRead = asking.caller.permissions.has('cmdb.read');
  const likely = words(draft.rest).filter((word) => isNameLike(word) && parseEventId(word) === null);
  const left = new Set([...sure.filter((text) => draft.rest.includes(text)), ...likely]);
  const parts = words(draft.rest).filter((word) => PARTED.test(word) && !left.has(word) && mayRead);
  for (const word of parts.slice(0, 4)) takeAny(draft, word, await namedWithin(asking, word), true);
  for (const word of [...left].slice(0, 8)) {
    const isHeard = (await newestEvents(asking, { hosts: [canonicalHost(word)] })).length > 0;
    if (!isHeard && (await isInTitles(asking, word))) continue;
    const within = !isHeard && mayRead ? await namedWithin(asking, word) : [];
    const near = within.length > 0 || isHeard || !mayRead ? within : await alike(asking, word);
    if (isHeard) take(draft, word, several('host', word, []));
    else if (near.length > 0) takeAny(draft, word, near, true);
    else missing.push(word);
  }
  return missing;
}

/** A single word that nothing explains may be a name that was mistyped: `paymnts`. */
async function takeMistyped(asking: Asking, draft: Draft): Promise<void> {
  if (draft.things.length > 0) return;
  const isUnknown = (word: string): boolean =>
    word.length > 4 && !PLAIN.has(word.toLowerCase()) && !VOCABULARY.spellings.has(word.toLowerCase());
  const { services: named } = await tenantNames(asking);
  for (const word of words(draft.rest).filter(isUnknown).slice(0, 3)) {
    if (!isStrange(word.toLowerCase())) continue;
    const [only, other] = await alike(asking, word);
    if (only !== undefined && other === undefined) take(draft, word, ciThing(only, true));
    const isLike = (part: string): boolean => part.length > 4 && isNearly(word.toLowerCase(), part);
    const service = named.find(({ name }) => plain(name).split(' ').some(isLike));
    if (only === undefined && service !== undefined) await takeService(asking, draft, word, service, true);
  }
}

/** Quoted texts that are titles of events, or begin some; a title has several words. */
async function titlesAmong(asking: Asking, quoted: readonly string[]): Promise<readonly string[]> {
  const titled = quoted.slice(0, 3).filter((text) => text.trim().includes(' '));
  const found = titled.map(async (text) => {
    const items = await newestEvents(asking, { search: text }, 20);
    return items.some(({ title }) => title.toLowerCase().startsWith(text.toLowerCase())) ? [text] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Finds what a text names, with the text that is left; none of it to a caller who may not read it. */
export async function findThings(asking: Asking, text: string) {
  const { permissions } = asking.caller;
  const said = [...text.matchAll(QUOTED_TEXTS)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const titles = await titlesAmong(asking, said);
  const quoted = said.filter((one) => !titles.includes(one));
  const unquoted = text.replaceAll(QUOTED_TEXTS, (_, a, b, c) => (titles.includes(a ?? b ?? c) ? ' ' : (a ?? b ?? c)));
  const draft: Draft = { rest: unquoted, text: unquoted, things: [] };
  const mayRead = permissions.has('cmdb.read');
  if (mayRead) await takePaths(asking, draft);
  if (permissions.has('services.read')) await takeServices(asking, draft);
  if (mayRead) {
    await takeCis(asking, draft, quoted);
    await takeTypes(asking, draft);
    await takePairs(asking, draft);
    await takeFamilies(asking, draft);
  }
  const missing = await takeRest(asking, draft, quoted);
  if (mayRead && missing.length === 0) await takeMistyped(asking, draft);
  const lower = text.toLowerCase();
  const at = ({ said }: Thing): number => lower.indexOf(said.toLowerCase());
  // `the dublin site` is one thing.
  const isKindOfPlace = ({ kind, name, said }: Thing): boolean =>
    kind === 'type' &&
    isPlaceType(name) &&
    draft.things.some((one) => one.kind === 'place' && lower.includes(`${one.said} ${said}`.toLowerCase()));
  const things = draft.things.filter((one) => !isKindOfPlace(one));
  return { things: things.toSorted((a, b) => at(a) - at(b)), missing, titles, rest: draft.rest };
}
