/** A source that reads bodies by a mapping of the tenant. */

import { assertDefined } from '#domain/assert.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { hostAddress } from '#sources/kit/hosts.ts';
import {
  type About,
  type AlertReading,
  bodiesOf,
  change,
  ignore,
  open,
  readEach,
  type StatusChange,
  unknownState,
} from '#sources/kit/items.ts';
import { labelsOf } from '#sources/kit/labels.ts';
import { FREE_WORDS, rate } from '#sources/kit/severity.ts';
import type { Delivered, InboundSettings, Source } from '#sources/kit/source.ts';
import { type ToldState, toldBy } from '#sources/kit/state-words.ts';
import { timeOf } from '#sources/kit/time.ts';
import type { MappedState, SourceMapping } from './mapping.ts';
import { type Path, parsePath, valuesAt } from './path.ts';
import { type FieldTemplate, filledFrom, foundBy, nameFrom, parseTemplate } from './value.ts';

type Field = keyof SourceMapping['fields'];
type FieldTemplates = Readonly<Partial<Record<Field, readonly FieldTemplate[]>>>;

/** A mapping is checked before it is stored. */
const template = (written: string): FieldTemplate => {
  const parsed = parseTemplate(written);
  if (typeof parsed === 'string') throw invalid('fields', parsed);
  return parsed;
};
const pathOf = (written: string): Path => {
  const parsed = parsePath(written);
  if (typeof parsed === 'string') throw invalid('items', parsed);
  return parsed;
};
const listed = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

const parsedFields = (fields: SourceMapping['fields']): FieldTemplates =>
  Object.fromEntries(
    Object.entries(fields).map(([name, written]) => [name, listed<string>(written ?? []).map(template)]),
  );

const firstOf = (templates: readonly FieldTemplate[] = [], body: unknown, read = filledFrom): string | undefined => {
  for (const one of templates) {
    const text = read(one, body);
    if (text !== undefined) return text;
  }
  return undefined;
};

/** Names of our states in mappings. */
const SAYS: Readonly<Record<ToldState, MappedState>> = {
  problem: 'problem',
  over: 'resolved',
  acknowledged: 'acknowledged',
  unacknowledged: 'unacknowledged',
  suppressed: 'suppressed',
  unsuppressed: 'unsuppressed',
};
const CHANGES: ReadonlyMap<MappedState, StatusChange> = new Map([
  ['resolved', 'resolve'],
  ['acknowledged', 'acknowledge'],
  ['unacknowledged', 'unacknowledge'],
  ['suppressed', 'suppress'],
  ['unsuppressed', 'unsuppress'],
]);

/** The result of a mapping for a body. */
class Mapped {
  readonly #name: string;
  readonly #mapping: SourceMapping;
  readonly #fields: FieldTemplates;

  constructor(name: string, mapping: SourceMapping) {
    this.#name = name;
    this.#mapping = mapping;
    this.#fields = parsedFields(mapping.fields);
  }

  #text(field: Field, body: unknown): string | undefined {
    return firstOf(this.#fields[field], body);
  }

  #named(field: Field, body: unknown): string | undefined {
    return firstOf(this.#fields[field], body, nameFrom);
  }

  #about(body: unknown): About {
    const parts = assertDefined(this.#fields.key, 'key').map((one) => nameFrom(one, body));
    const key = parts.filter((part) => part !== undefined).join('/');
    if (key === '') throw invalid('fields.key', `${listed(this.#mapping.fields.key).join(', ')} matches nothing`);
    return { source: this.#name, sourceId: key };
  }

  #stateOf(word: string | undefined): MappedState | undefined {
    if (word === undefined) return 'problem';
    const { states = {} } = this.#mapping;
    const own = word.trim().toLowerCase();
    if (Object.hasOwn(states, own)) return states[own];
    const told = toldBy(word);
    return told && SAYS[told];
  }

  #complaint(body: unknown, about: About, settings: InboundSettings): AlertReading {
    const { severities = {}, severity = 'warning' } = this.#mapping;
    const scale = { source: this.#name, table: { ...FREE_WORDS, ...severities }, fallback: severity };
    const host = hostAddress(this.#named('hostname', body));
    const address = hostAddress(this.#named('ipAddress', body));
    const [service, application, environment] = (['service', 'application', 'environment'] as const).map((field) =>
      this.#named(field, body),
    );
    return {
      ...about,
      rated: rate(scale, this.#text('severity', body), settings),
      title: this.#text('title', body),
      description: this.#text('description', body),
      time: timeOf(this.#text('time', body)),
      place: { ...address, ...host },
      belonging: { service, application, environment },
      category: this.#named('category', body),
      ciHints: [this.#named('ci', body)],
      tags: (this.#fields.tags ?? [])
        .flatMap((one) => foundBy(one, body))
        .flatMap((found) => labelsOf(tagLike(found)).tags),
      raw: body,
    };
  }

  read(body: Readonly<Record<string, unknown>>, receivedAt: number, settings: InboundSettings): MonitorAction {
    const about = this.#about(body);
    const word = this.#text('state', body);
    const state = this.#stateOf(word);
    if (state === 'ignored') return ignore(about.sourceId, `state ${word} requires no action`);
    const complaint = this.#complaint(body, about, settings);
    if (state === 'resolved')
      return change('resolve', about, { at: complaint.time, notes: complaint.description }, receivedAt);
    if (complaint.title === undefined)
      throw invalid('fields.title', `${listed(this.#mapping.fields.title).join(', ')} matches nothing`);
    if (state === undefined) return unknownState(complaint, word ?? '', receivedAt);
    const action = CHANGES.get(state);
    if (action === undefined) return open(complaint, receivedAt);
    return change(action, about, { at: complaint.time }, receivedAt, complaint);
  }

  /** Fields whose paths find nothing in a body. */
  missing(body: unknown): string[] {
    return Object.entries(this.#fields)
      .filter(([, templates]) => templates.every((one) => foundBy(one, body).length === 0))
      .map(
        ([name]) => `fields.${name}: ${listed(this.#mapping.fields[name as Field] ?? '').join(', ')} matches nothing`,
      );
  }
}

/** A number or a truth is a tag, too. */
const tagLike = (found: unknown): unknown => (typeof found === 'object' ? found : String(found));

const itemsOf = ({ items }: SourceMapping, body: unknown): readonly unknown[] => {
  if (items === undefined) return bodiesOf(body, 'a JSON object or a list of them');
  const found = valuesAt(pathOf(items), body).flatMap((one) => (Array.isArray(one) ? one : [one]));
  if (found.length === 0) throw invalid('items', `${items} matches nothing`);
  return found;
};

/** Fields of a sample in which the mapping finds nothing, by the place of each item. */
export function missingFields(name: string, mapping: SourceMapping, body: unknown): readonly (readonly string[])[] {
  const mapped = new Mapped(name, mapping);
  return itemsOf(mapping, body).map((item) => mapped.missing(item));
}

export function genericSource(name: string, mapping: SourceMapping): Source {
  const mapped = new Mapped(name, mapping);
  return {
    name,
    aliases: [],
    title: mapping.title ?? name,
    read: ({ body, receivedAt }: Delivered, settings: InboundSettings) => ({
      items: readEach(itemsOf(mapping, body), (item) => mapped.read(item, receivedAt, settings)),
    }),
  };
}
