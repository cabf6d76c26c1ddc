import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import {
  changesOfEvent,
  changesOfGroup,
  changesOfTopology,
  deadLetterChange,
  type LiveChange,
} from '#domain/live/live-change.ts';
import type { TopologyChange } from '#domain/topology/change.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { correlationChanges, eventsRejected, eventsSaved, topologyChanged } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';

/** Topics that say what changes, in the order of the lanes of a position: clients hold positions, so the order stays. */
export const LANES: readonly TopicName[] = [eventsSaved, correlationChanges, topologyChanged, eventsRejected];

const changesIn = (topic: TopicName, value: unknown): LiveChange[] => {
  if (topic === eventsSaved) return changesOfEvent(value as Saved);
  if (topic === correlationChanges) return changesOfGroup(value as GroupChange);
  return changesOfTopology(value as TopologyChange);
};

/** The changes of a record of one of these topics; none when it cannot be read. Throws Fault `unavailable` while the registry is needed and down. */
export const changesOf = async (codecs: Pick<Codecs, 'of'>, topic: TopicName, bytes: Buffer): Promise<LiveChange[]> => {
  if (topic === eventsRejected) return [deadLetterChange];
  const codec = codecs.of(topic);
  if (!codec.knows(bytes)) await codec.learn(bytes);
  return changesIn(topic, codec.decode(bytes));
};
