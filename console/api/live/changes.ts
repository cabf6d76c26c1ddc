/** Messages of the stream, and how many a tab holds before it reads them. */
export type StreamTopic = 'groups' | 'events' | 'silences' | 'topology' | 'scans' | 'pipeline';

/** Ids, or a state that requires a new read: `many` changed, as in a storm, or something may have been `missed`. */
export type TopicChange = ReadonlySet<string> | 'many' | 'missed';
export type TopicChanges = ReadonlyMap<StreamTopic, TopicChange>;

/** Maximum of ids of a topic that are recorded one by one. */
const MAX_IDS = 1_000;

export const EVERYTHING: ReadonlyMap<StreamTopic, TopicChange> = new Map<StreamTopic, TopicChange>(
  (['groups', 'events', 'silences', 'topology', 'scans', 'pipeline'] as const).map((topic) => [topic, 'missed']),
);

const together = (one: TopicChange | undefined, other: TopicChange): TopicChange => {
  if (one === undefined) return other;
  if (typeof one === 'string') return one;
  if (typeof other === 'string') return other;
  const ids = new Set([...one, ...other]);
  return ids.size > MAX_IDS ? 'many' : ids;
};

type Loose = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

const idsOf = (told: unknown): TopicChange | undefined => {
  if (!isRecord(told)) return undefined;
  const ids = Array.isArray(told.ids) ? told.ids.filter((id): id is string => typeof id === 'string') : [];
  return typeof told.more === 'number' && told.more > 0 ? 'many' : new Set(ids);
};

/** True if this one may have changed. */
export const mayConcern = (changed: TopicChange, id: string): boolean => typeof changed === 'string' || changed.has(id);

/** Returns the data of an event `changes`; unreadable data counts as a change of everything. */
export const changesOf = (data: string): TopicChanges => {
  let told: unknown;
  try {
    told = JSON.parse(data);
  } catch {
    return EVERYTHING;
  }
  if (!isRecord(told)) return EVERYTHING;
  const changes = new Map<StreamTopic, TopicChange>();
  const add = (topic: StreamTopic, changed: TopicChange | undefined): void => {
    if (changed !== undefined) changes.set(topic, together(changes.get(topic), changed));
  };
  for (const topic of ['groups', 'events', 'silences', 'scans'] as const) add(topic, idsOf(told[topic]));
  const topology = told.topology;
  if (isRecord(topology)) {
    add('topology', idsOf(topology.cis));
    add('topology', idsOf(topology.relationships));
  }
  if (told.pipeline !== undefined) add('pipeline', 'missed');
  return changes;
};
