import { parseEventId } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { isNearly } from '#domain/search/nearly.ts';
import { withoutTrailing } from '#domain/text.ts';
import { zip } from '#domain/zip.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { isNameLike, PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { meantCiTypes, namedCiTypes, type TenantNames } from '#features/questions/rules/grammar/tenant-names.ts';
import { corrected } from '#features/questions/rules/grammar/tokens.ts';
import { CI_TYPES, COMPLAINTS, STOP, VOCABULARY } from '#features/questions/rules/grammar/words.ts';
import { tenantNames } from '#features/questions/use-cases/queries/tenant-names.ts';
import type { ToolServiceRow } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';

const DIGITS = '0123456789';
const MARKS = "._:'-";

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
/** A CI as a thing, without the words for it. */
export const ciThing = ({ id, name, type }: CiName, isGuess = false): Omit<Thing, 'said'> => ({
  kind: 'ci',
  name,
  id,
  cis: [{ id, name, type }],
  isGuess,
});

/** The same of a row of its health. */
export const serviceThing = ({ id, name, components }: ToolServiceRow): Thing => {
  const cis = components.map((one) => ({ id: one, name, type: '' }));
  return { kind: 'service', name, said: name, id, cis, isGuess: false };
};

export const idsOf = (things: readonly Thing[]): string[] => things.flatMap(({ cis }) => cis.map(({ id }) => id));

const MAX_TERMS = 60;
const MAX_MEMBERS = 1_000;
const MAX_FAMILY = 60;

const nameOf = ({ id, name, type }: CiName): CiName => ({ id, name, type });
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

/** `db3`: db-3, db-03, db3; `atm 17`: atm-17, atm-017, atm-0017. */
function spellings(term: string): string[] {
  const parts = term.toLowerCase().match(/^(.*?[a-z])[\s_-]?(\d{1,4})$/);
  if (parts === null) return [term, term.replaceAll(' ', '-')];
  const [, stem = '', digits = ''] = parts;
  const number = String(Number(digits));
  const numbers = [digits, number, number.padStart(2, '0'), number.padStart(3, '0'), number.padStart(4, '0')];
  const stems = [stem, stem.replaceAll(' ', '-')];
  return [term, ...stems.flatMap((one) => numbers.flatMap((n) => [`${one}-${n}`, `${one}${n}`, `${one}_${n}`]))];
}

const cisOf = async ({ tenant, ports }: Asking, ids: readonly string[]): Promise<CiName[]> =>
  ids.length === 0 ? [] : (await ports.topology.getCis(tenant, ids.slice(0, MAX_MEMBERS))).map(nameOf);

async function bound({ tenant, ports }: Asking, terms: readonly string[]) {
  const asked = [...new Set(terms.flatMap(spellings))].slice(0, 400);
  const bindings = await ports.matcher.bind(
    tenant,
    asked.map((text) => ({ ciId: text, hostname: text, ipAddress: text, hints: [text] })),
  );
  const byText = new Map(zip(asked, bindings));
  return new Map(
    terms.map((term) => {
      const found = spellings(term).flatMap((one) => byText.get(one) ?? []);
      return [term, found.find(({ ci }) => ci !== null) ?? found.find(({ ambiguous }) => ambiguous) ?? null] as const;
    }),
  );
}

const listedCis = async ({ tenant, ports }: Asking, filter: CiFilter, limit = MAX_MEMBERS): Promise<CiName[]> =>
  (await ports.topology.findCis(tenant, filter, { sort: 'name', order: 'asc', limit })).items.map(nameOf);
const searched = (asking: Asking, search: string): Promise<CiName[]> => listedCis(asking, { search }, MAX_FAMILY);

/** CIs a part of whose name is the word: `netbank`, `rac`. */
async function family(asking: Asking, word: string): Promise<CiName[]> {
  const isPart = (name: string): boolean => {
    const parts = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return (
      parts.some((part) => part === word || withoutTrailing(part, DIGITS) === word) ||
      (word.length > 3 && name.toLowerCase().startsWith(word))
    );
  };
  return (await searched(asking, word)).filter(({ name }) => isPart(name));
}

/** Removes punctuation and leading zeros: `core-app-01` becomes `coreapp1`. */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll(/(?<!\d)0+(?=\d)/g, '');

const partsOf = (name: string): string[] => name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
/** Each part is the same, or is long and has one letter wrong. */
function isMistyped(word: string, name: string): boolean {
  const [said, parts] = [partsOf(word), partsOf(name)];
  return (
    said.length === parts.length &&
    zip(said, parts).every(([one, other]) => one === other || (one.length > 3 && isNearly(one, other)))
  );
}
const numbersIn = (name: string): string => (bare(name).match(/\d+/g) ?? []).join(' ');

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

/** CIs in a place: by relationships, by an attribute, and by names that begin with it. */
async function inPlace(asking: Asking, name: string, ci: CiName | null): Promise<CiName[]> {
  const { tenant, ports } = asking;
  const values = [
    ...new Set([name, name.toLowerCase(), name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1)]),
  ];
  const [near, begins, ...located] = await Promise.all([
    ci === null ? null : ports.graph.neighbourhood(tenant, ci.id, { hops: 3, direction: 'down', limit: MAX_MEMBERS }),
    ci === null ? [] : listedCis(asking, { search: `${name}-` }),
    ...values.flatMap((value) =>
      ['location', 'site', 'datacenter'].map((field) =>
        listedCis(asking, { fields: [{ bag: 'attributes', name: field, value }] }),
      ),
    ),
  ]);
  const all = [
    ...(ci === null ? [] : [ci]),
    ...(near?.nodes ?? []).map((node) => ({ id: node.ci, name: node.name, type: node.type })),
    ...begins.filter((one) => one.name.toLowerCase().startsWith(`${name.toLowerCase()}-`)),
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
const TYPE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  db: ['database', 'database_server'],
  database: ['database', 'database_server'],
  vm: ['virtual_machine', 'server'],
  host: ['server'],
  machine: ['server'],
  lb: ['load_balancer'],
  'load balancer': ['load_balancer'],
  loadbalancer: ['load_balancer'],
  san: ['storage'],
  array: ['storage'],
  'cash machine': ['atm'],
  hypervisor: ['hypervisor', 'esx', 'vmware_host'],
  app: ['application'],
  network: ['switch', 'router', 'firewall', 'load_balancer', 'network_device'],
  'core switch': ['switch'],
};

/** CIs behind `§ and its §` that belong to the one before, by relationship or name; without any the word is unknown. */
export async function ofOwner(asking: Asking, shape: string, things: readonly Thing[]) {
  const { tenant, ports } = asking;
  const before = (shape.split(OF_OWN)[0]?.split('§').length ?? 1) - 1;
  const [owner, own] = [things[before - 1], things[before]];
  const [ci] = owner?.cis ?? [];
  if (!OF_OWN.test(shape) || ci === undefined || owner?.kind !== 'ci' || own === undefined || own.kind === 'type')
    return { things, lost: [] };
  const { nodes } = await ports.graph.neighbourhood(tenant, ci.id, { hops: 1, direction: 'both', limit: 200 });
  const near = new Set(nodes.map((node) => node.ci));
  const stem = ci.name.toLowerCase().replace(/[^._-]*$/, '');
  const related = own.cis.filter(({ id }) => id !== ci.id && near.has(id));
  const named = own.cis.filter(
    ({ id, name }) => id !== ci.id && stem.length > 2 && name.toLowerCase().startsWith(stem),
  );
  const [only, ...others] = related.length > 0 ? related : named;
  const left = things.filter((one) => one !== own);
  if (only === undefined) return { things: left, lost: [`${own.said} of ${ci.name}`] };
  const found: Thing =
    others.length === 0
      ? { ...ciThing(only), said: own.said }
      : { ...own, name: `${own.said} of ${ci.name}`, cis: [only, ...others] };
  return { things: things.map((one) => (one === own ? found : one)), lost: [] };
}
const OF_OWN = /(?<=§) (?:and|or|with) its (?=§)/;

interface Draft {
  rest: string;
  readonly things: Thing[];
}
/** Removes the text, so that nothing else matches it. */
const take = (draft: Draft, said: string, thing: Omit<Thing, 'said'>): void => {
  const at = draft.rest.toLowerCase().indexOf(said.toLowerCase());
  if (at < 0) return;
  draft.rest = `${draft.rest.slice(0, at)} § ${draft.rest.slice(at + said.length)}`;
  if (!draft.things.some(({ kind, name }) => kind === thing.kind && name === thing.name))
    draft.things.push({ ...thing, said });
};

const words = (text: string): string[] =>
  text.match(/[\p{L}\p{N}][\p{L}\p{N}._:'-]*/gu)?.map((word) => withoutTrailing(word, MARKS).replace(/'s$/, '')) ?? [];

type NamedService = TenantNames['services'][number];

/** The text names the service. */
async function takeService(asking: Asking, draft: Draft, said: string, { id, name }: NamedService, isGuess: boolean) {
  const known = await asking.ports.memory.services.of(asking.tenant, asking.receivedAt);
  const service = [...known.values()].flat().find((one) => one.id === id);
  const cis = await cisOf(asking, service?.components.map(({ ciId }) => ciId) ?? []);
  take(draft, said, { kind: 'service', name, id, cis, isGuess });
}

async function takeServices(asking: Asking, draft: Draft): Promise<void> {
  const { services: named } = await tenantNames(asking);
  for (const service of named.toSorted((a, b) => b.name.length - a.name.length)) {
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}])${plain(service.name)
        .split(' ')
        .map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'))
        .join('[\\s_-]+')}(?![\\p{L}\\p{N}])`,
      'iu',
    );
    const said = draft.rest.match(pattern)?.[0];
    // A service `Status` is meant only where it is called a service, or is written with a capital.
    const isWord =
      said !== undefined &&
      !said.includes(' ') &&
      (VOCABULARY.words.has(said.toLowerCase()) || PLAIN.has(said.toLowerCase()));
    const isCalled =
      said !== undefined && new RegExp(`\\bservice ${said}\\b|\\b${said} service\\b`, 'i').test(draft.rest);
    if (said !== undefined && (!isWord || isCalled || (/^\p{Lu}/u.test(said) && !draft.rest.trim().startsWith(said))))
      await takeService(asking, draft, said, service, false);
  }
}

/** A word that begins or ends the name of one service alone: `SWIFT`, `fraud`. */
async function partOfService(asking: Asking, draft: Draft, word: string, isFirst: boolean): Promise<boolean> {
  const { services: named } = await tenantNames(asking);
  const [only, other] = named.filter(({ name }) => {
    const words = plain(name).split(' ');
    return isFirst ? words[0] === word : words.includes(word);
  });
  if (only === undefined || other !== undefined) return false;
  await takeService(asking, draft, word, only, true);
  return true;
}

const QUOTED = /"([^"]{1,200})"|“([^”]{1,200})”|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/gu;

const NAMED =
  /(?:^|\b(?:on|with|for|about|of|in|to|is|are|and|or|vs|compare) )(?:the |our |my )?(\p{L}{4,30})(?=$| (?:app|application|service|database|db|cluster|host|server|team)\b|[ ,]*[?.!,¤]| (?:at|around|about|between|today|now|right|since|last)\b)/giu;

async function takeCis(asking: Asking, draft: Draft, sure: readonly string[]): Promise<void> {
  const all = words(draft.rest);
  const several = [2, 3]
    .flatMap((n) =>
      all
        .map((_, i) => all.slice(i, i + n))
        .filter(
          (row) =>
            row.length === n && row.some((word) => !PLAIN.has(word.toLowerCase()) && !STOP.has(word.toLowerCase())),
        ),
    )
    .map((row) => row.join(' '));
  const single = all.filter(
    (word) => isNameLike(word) || (!PLAIN.has(word.toLowerCase()) && !STOP.has(word.toLowerCase()) && word.length > 1),
  );
  // `what about search at 8pm`: a word of the language where only a name is possible.
  const common = [...draft.rest.matchAll(NAMED)].flatMap(([, word = '']) =>
    PLAIN.has(word.toLowerCase()) ? [word] : [],
  );
  const terms = [...new Set([...sure, ...several, ...single, ...common])].slice(0, MAX_TERMS);
  if (terms.length === 0) return;
  const found = await bound(asking, terms);
  for (const term of terms.toSorted((a, b) => b.length - a.length)) {
    const binding = found.get(term);
    if (!binding?.ci || !draft.rest.toLowerCase().includes(term.toLowerCase())) continue;
    const ci = nameOf(binding.ci);
    const thing = ciThing(ci, plain(ci.name) !== plain(term));
    const isPlace = isPlaceType(ci.type);
    take(draft, term, isPlace ? { ...thing, kind: 'place', cis: await inPlace(asking, ci.name, ci) } : thing);
  }
}

async function takeTypes(asking: Asking, draft: Draft): Promise<void> {
  const names = await tenantNames(asking);
  const all = words(draft.rest.toLowerCase());
  const pairs = all.slice(0, -1).map((word, i) => `${word} ${all[i + 1] ?? ''}`);
  for (const said of [...pairs, ...all]) {
    const forms = singular(said);
    const aliases = forms.flatMap((form) => [form, ...(TYPE_ALIASES[form] ?? []), CI_TYPES.get(form) ?? form]);
    const types = [...new Set(aliases.flatMap((form) => namedCiTypes(form, names)))];
    if (types.length === 0) types.push(...forms.flatMap((form) => meantCiTypes(form, names)));
    if (types.length === 0 || !draft.rest.toLowerCase().includes(said)) continue;
    take(draft, said, {
      kind: 'type',
      name: types[0] ?? said,
      id: null,
      cis: await listedCis(asking, { types }),
      isGuess: false,
    });
  }
}

/** `mobile gatway`: two words of one name, of which one is mistyped. */
async function takePairs(asking: Asking, draft: Draft): Promise<void> {
  const all = words(draft.rest.toLowerCase());
  const isUnknown = (word: string): boolean =>
    word.length > 4 &&
    !PLAIN.has(word) &&
    !STOP.has(word) &&
    corrected(word, VOCABULARY.spellings) === word &&
    !VOCABULARY.spellings.has(word);
  for (const [i, word] of all.slice(0, -1).entries()) {
    const next = all[i + 1] ?? '';
    if (PLAIN.has(word) || PLAIN.has(next) || !(isUnknown(word) || isUnknown(next))) continue;
    const [only, other] = await alike(asking, `${word}-${next}`);
    if (only !== undefined && other === undefined) take(draft, `${word} ${next}`, ciThing(only, true));
  }
}

async function takeFamilies(asking: Asking, draft: Draft): Promise<void> {
  const left = [...new Set(words(draft.rest).map((word) => word.toLowerCase()))].filter(
    (word) =>
      word.length > 1 &&
      !PLAIN.has(word) &&
      !isNameLike(word) &&
      (!VOCABULARY.words.has(word) ||
        (COMPLAINTS.has(word) &&
          new RegExp(`^(?:is|are|was|were|how(?: is|'s)) (?:the|our) ${word}\\b`, 'i').test(draft.rest.trim()))),
  );
  for (const word of left.slice(0, 12)) {
    if (!draft.rest.toLowerCase().includes(word)) continue;
    if (await partOfService(asking, draft, word, true)) continue;
    const members = await family(asking, word);
    const [only, other] = members;
    if (only !== undefined) {
      const isOne = other === undefined;
      take(
        draft,
        word,
        isOne ? ciThing(only, true) : { kind: 'family', name: word, id: null, cis: members, isGuess: false },
      );
      continue;
    }
    if (await partOfService(asking, draft, word, false)) continue;
    const placed = await inPlace(asking, word, null);
    if (placed.length > 0) take(draft, word, { kind: 'place', name: word, id: null, cis: placed, isGuess: false });
  }
}

/** `p99`, `5xx`: a short word of a title is no name. */
async function isInTitles({ tenant, ports, caller }: Asking, word: string): Promise<boolean> {
  if (!/^(?:[\p{L}\d]{2,8}|\p{L}+-\p{L}+\d{0,4})$/u.test(word) || !caller.permissions.has('events.read')) return false;
  const newest = { sort: 'timestamp', order: 'desc', limit: 1 } as const;
  const { items } = await ports.events.part(tenant, { search: word }, newest);
  return items.some(({ title }) =>
    title
      .toLowerCase()
      .split(/[^\p{L}\p{N}-]+/u)
      .includes(word.toLowerCase()),
  );
}

const PARTED = /^\p{L}+(?:-[\p{L}\d]+)+$/u;

/** `mail-01` of fra1-mail-01 and ams2-mail-01: whole parts of a name. */
const namedWithin = async (asking: Asking, word: string): Promise<CiName[]> =>
  (await searched(asking, word)).filter(({ name }) =>
    `-${name.toLowerCase()}-`.replaceAll(/[._]/g, '-').includes(`-${word}-`),
  );

/** Hosts of events that are no CIs, and names that were mistyped; the others are missing. */
async function takeRest(asking: Asking, draft: Draft, sure: readonly string[]): Promise<string[]> {
  const { tenant, ports, caller } = asking;
  const missing: string[] = [];
  const likely = words(draft.rest).filter((word) => isNameLike(word) && parseEventId(word) === null);
  const left = new Set([...sure.filter((text) => draft.rest.includes(text)), ...likely]);
  const newest = { sort: 'timestamp', order: 'desc', limit: 1 } as const;
  const parts = words(draft.rest).filter(
    (word) => PARTED.test(word) && !left.has(word) && caller.permissions.has('cmdb.read'),
  );
  for (const word of parts.slice(0, 4)) {
    const found = await namedWithin(asking, word.toLowerCase());
    const [one, other] = found;
    if (one !== undefined)
      take(
        draft,
        word,
        other === undefined ? ciThing(one, true) : { kind: 'family', name: word, id: null, cis: found, isGuess: true },
      );
  }
  for (const word of [...left].slice(0, 8)) {
    const heard = caller.permissions.has('events.read')
      ? (await ports.events.part(tenant, { hosts: [canonicalHost(word)] }, newest)).items
      : [];
    if (heard.length === 0 && (await isInTitles(asking, word))) continue;
    const isRead = heard.length === 0 && caller.permissions.has('cmdb.read');
    const within = isRead ? await namedWithin(asking, word.toLowerCase()) : [];
    const near = within.length > 0 || !isRead ? within : await alike(asking, word);
    const [only] = near;
    if (heard.length > 0) take(draft, word, { kind: 'host', name: word, id: null, cis: [], isGuess: false });
    else if (only !== undefined && near.length === 1) take(draft, word, ciThing(only, true));
    else if (near.length > 1) take(draft, word, { kind: 'family', name: word, id: null, cis: near, isGuess: true });
    else missing.push(word);
  }
  return missing;
}

/** A single word that nothing explains may be a name that was mistyped: `paymnts`. */
async function takeMistyped(asking: Asking, draft: Draft): Promise<void> {
  if (draft.things.length > 0) return;
  const unknown = words(draft.rest).filter(
    (word) => word.length > 4 && !PLAIN.has(word.toLowerCase()) && !VOCABULARY.spellings.has(word.toLowerCase()),
  );
  const { services: named } = await tenantNames(asking);
  for (const word of unknown.slice(0, 3)) {
    if (corrected(word.toLowerCase(), VOCABULARY.spellings) !== word.toLowerCase()) continue;
    const [only, other] = await alike(asking, word);
    if (only !== undefined && other === undefined) take(draft, word, ciThing(only, true));
    const isLike = (part: string): boolean => part.length > 4 && isNearly(word.toLowerCase(), part);
    const service = named.find(({ name }) => plain(name).split(' ').some(isLike));
    if (only === undefined && service !== undefined) await takeService(asking, draft, word, service, true);
  }
}

/** Quoted texts that are titles of events, or begin some; a title has several words. */
async function titlesAmong({ tenant, ports, caller }: Asking, quoted: readonly string[]): Promise<readonly string[]> {
  if (!caller.permissions.has('events.read')) return [];
  const page = { sort: 'timestamp', order: 'desc', limit: 20 } as const;
  const found = quoted.slice(0, 3).map(async (text) => {
    const { items } =
      text.trim().split(' ').length < 3 ? { items: [] } : await ports.events.part(tenant, { search: text }, page);
    return items.some(({ title }) => title.toLowerCase().startsWith(text.toLowerCase())) ? [text] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Finds what a text names, with the text that is left; none of it to a caller who may not read it. */
export async function findThings(asking: Asking, text: string) {
  const { permissions } = asking.caller;
  const said = [...text.matchAll(QUOTED)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const titles = await titlesAmong(asking, said);
  const quoted = said.filter((one) => !titles.includes(one));
  const unquoted = text.replaceAll(QUOTED, (_, a, b, c) => (titles.includes(a ?? b ?? c) ? ' ' : (a ?? b ?? c)));
  const draft: Draft = { rest: unquoted, things: [] };
  const mayRead = permissions.has('cmdb.read');
  if (permissions.has('services.read')) await takeServices(asking, draft);
  if (mayRead) {
    await takeCis(asking, draft, quoted);
    await takeTypes(asking, draft);
    await takePairs(asking, draft);
    await takeFamilies(asking, draft);
  }
  const missing = await takeRest(asking, draft, quoted);
  if (mayRead && missing.length === 0) await takeMistyped(asking, draft);
  const at = ({ said }: Thing): number => text.toLowerCase().indexOf(said.toLowerCase());
  return { things: draft.things.toSorted((a, b) => at(a) - at(b)), missing, titles, rest: draft.rest };
}
