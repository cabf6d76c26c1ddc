import type { estypes } from '@elastic/elasticsearch';
import type { Connection } from './connection.ts';
import { FAMILIES, type Family, type Names } from './names.ts';

type Properties = Record<string, estypes.MappingProperty>;

/** Must be raised when stored indices cannot apply a change of the mapping; additional fields need no new layout. */
export const LAYOUT = 3;

const word: estypes.MappingProperty = { type: 'keyword' };
const number: estypes.MappingProperty = { type: 'long' };
/** Stored, never searched: its field names are the sender's. */
const opaque: estypes.MappingProperty = { type: 'object', enabled: false };
/** Words are made by `plainWords`, the same when saved and when searched. */
const text: estypes.MappingProperty = { type: 'text', analyzer: 'whitespace', norms: false };
/** The same, for ranked searches: a short text with the word is more relevant than a long one. */
const ranked: estypes.MappingProperty = { type: 'text', analyzer: 'whitespace' };
/** Fields of one kind, with blanks between their names. */
const all = (kind: estypes.MappingProperty, names: string): Properties =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]));
const within = (properties: Properties): estypes.MappingProperty => ({ properties });

/** A group as it is stored. */
const GROUP: estypes.MappingProperty = within({
  ...all(word, 'tenant id aliases status'),
  ...all(number, 'first last size position'),
  candidate: opaque,
});

const ENRICHED: Properties = {
  enriched: within({
    arrival: within({ tenant: word, eventId: word, time: number, position: number, rebound: { type: 'boolean' } }),
    ...all(opaque, 'rates settings near upstream wholes'),
  }),
};

/** Fields of queries; the rest of a document is only stored. */
const PROPERTIES: Readonly<Record<Family, Properties>> = {
  events: {
    event: within({
      ...all(word, 'tenant id status source signature correlationId environment tags'),
      usual: { type: 'boolean' },
      ci: within({ id: word }),
      assignedTo: within({ id: word }),
      assignedTeam: within({ id: word }),
      silencing: within({ by: word }),
      ...all(number, 'timestamp firstOccurrence lastOccurrence createdAt updatedAt count position'),
      details: opaque,
    }),
    change: { type: 'boolean' },
    rank: { type: 'byte' },
    text,
    ...all(number, 'resolvedAt openMs acknowledgedMs'),
    serviceName: word,
    host: word,
    member: within({ superseded: { type: 'boolean' }, names: word }),
    unbound: within({ is: { type: 'boolean' }, host: word, address: word }),
  },
  enriched: ENRICHED,
  rearrivals: ENRICHED,
  decisions: {
    decision: within({
      ...all(word, 'tenant eventId groupId joined'),
      position: number,
      ...all(opaque, 'accepted refused cut'),
    }),
    events: word,
  },
  groups: { group: GROUP },
  grouprows: {
    group: GROUP,
    state: opaque,
    standing: word,
    rank: { type: 'byte' },
    urgency: number,
    ...all(word, 'keys assignees verdict'),
    care: opaque,
  },
  recoveries: { recovery: within({ tenant: word, receivedAt: number, position: number }) },
  deliveries: { delivery: within({ tenant: word, at: number, receipt: opaque }) },
  records: {
    ...all(word, 'tenant kind id'),
    expiresAt: number,
    removedAt: number,
    body: opaque,
    owes: { type: 'boolean' },
  },
  search: {
    ...all(word, 'tenant kind id'),
    at: number,
    document: opaque,
    keywords: word,
    ...all(ranked, 'title text concepts'),
  },
  journal: {},
};

/** Read by id alone. */
const NEVER_SEARCHED: readonly Family[] = ['journal'];

/** Families with much repeated content, so that compression pays. */
const PACKED: readonly Family[] = ['enriched', 'rearrivals', 'decisions'];

export interface LayoutOptions {
  /**
   * Delay until a search includes saves of another process: an Elasticsearch duration. Absent: the default of
   * Elasticsearch, a second while searches arrive; else no refresh until the next one.
   */
  readonly refreshInterval?: string;
}

const refreshing = (family: Family, interval: string | undefined) => {
  const chosen = NEVER_SEARCHED.includes(family) ? '-1' : interval;
  return chosen === undefined ? {} : { refresh_interval: chosen };
};

const templateOf = (family: Family, names: Names, { refreshInterval }: LayoutOptions) => ({
  name: names.template(family),
  index_patterns: [names.every(family)],
  priority: 500,
  _meta: { layout: LAYOUT },
  template: {
    settings: {
      number_of_shards: 1,
      // A copy as soon as there is a second node.
      auto_expand_replicas: '0-1' as const,
      ...refreshing(family, refreshInterval),
      ...(PACKED.includes(family) ? { codec: 'best_compression' } : {}),
    },
    mappings: { dynamic: false as const, _meta: { layout: LAYOUT }, properties: PROPERTIES[family] },
  },
});

/** Adds later fields to existing indices: earlier documents are not found by them. */
export const addFields = async (connection: Connection, names: Names): Promise<void> => {
  for (const family of FAMILIES) {
    const asked = { index: names.every(family), properties: PROPERTIES[family], allow_no_indices: true };
    await connection.ask((client) => client.indices.putMapping(asked));
  }
};

/** Writes the templates of all indices, so that each index is made as this program needs it. */
export const putTemplates = async (connection: Connection, names: Names, options: LayoutOptions): Promise<void> => {
  const templates = FAMILIES.map((family) => templateOf(family, names, options));
  await Promise.all(templates.map((one) => connection.ask((client) => client.indices.putIndexTemplate(one))));
};
