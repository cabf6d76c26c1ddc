/** Messages of the stream, and how many a tab holds before it reads them. */
export type StreamTopic = 'groups' | 'events' | 'silences' | 'topology' | 'scans' | 'pipeline';

/** Ids, or what only a new read shows: `many` changed, as in a storm, or something may have been `missed`. */
export type Changed = ReadonlySet<string> | 'many' | 'missed';
export type TopicChanges = ReadonlyMap<StreamTopic, Changed>;

/** Ids of a topic that are kept one by one. */
const MOST_IDS = 1_000;

export const EVERYTHING: ReadonlyMap<StreamTopic, Changed> = new Map<StreamTopic, Changed>(
  (['groups', 'events', 'silences', 'topology', 'scans', 'pipeline'] as const).map((topic) => [topic, 'missed']),
);

const together = (one: Changed | undefined, other: Changed): Changed => {
  if (one === undefined) return other;
  if (typeof one === 'string') return one;
  if (typeof other === 'string') return other;
  const ids = new Set([...one, ...other]);
  return ids.size > MOST_IDS ? 'many' : ids;
};

type Loose = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

const idsOf = (told: unknown): Changed | undefined => {
  if (!isRecord(told)) return undefined;
  const ids = Array.isArray(told.ids) ? told.ids.filter((id): id is string => typeof id === 'string') : [];
  return typeof told.more === 'number' && told.more > 0 ? 'many' : new Set(ids);
};

/** Whether this one may be other than it was. */
export const mayConcern = (changed: Changed, id: string): boolean => typeof changed === 'string' || changed.has(id);

/** Data of an event `changes`; what cannot be read is taken as everything. */
export const changesOf = (data: string): TopicChanges => {
  let told: unknown;
  try {
    told = JSON.parse(data);
  } catch {
    return EVERYTHING;
  }
  if (!isRecord(told)) return EVERYTHING;
  const changes = new Map<StreamTopic, Changed>();
  const add = (topic: StreamTopic, changed: Changed | undefined): void => {
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
