import type { Buffer } from 'node:buffer';
import { subjectOf, topics } from '#schemas/topics/topics.ts';
import type { TopicName, TopicValues } from '#schemas/topics/values.ts';
import { openSlab } from './buffer-pool.ts';
import { type Codec, openCodec } from './codec.ts';
import type { RegisteredSchemas } from './registry.ts';
import { readerType, schemaText } from './schema-file.ts';

export interface Codecs {
  encode(topic: TopicName, value: unknown): Buffer;
  /** Asks the registry when the writer's schema is new. Throws Fault `unavailable` when it is down, `invalid` for a bad record. */
  decode(topic: TopicName, bytes: Buffer): Promise<unknown>;
  of<Name extends TopicName>(topic: Name): Codec<TopicValues[Name]>;
  /** Id of each topic's schema in the registry, for operators. */
  readonly schemaIds: ReadonlyMap<TopicName, number>;
}

/** Registers the schemas of all topics; throws one error with everything that the registry refuses. */
export const openCodecs = async (registry: RegisteredSchemas): Promise<Codecs> => {
  const texts = topics.map((topic) => ({ topic: topic.name, text: schemaText(topic) }));
  const registered = await Promise.allSettled(
    texts.map(({ topic, text }) => registry.register(subjectOf(topic), text)),
  );
  const refused = registered.filter((result) => result.status === 'rejected').map(({ reason }) => reason as Error);
  if (refused.length === 1) throw refused[0];
  if (refused.length > 1)
    throw new AggregateError(refused, [...new Set(refused.map(({ message }) => message))].join('\n'));
  const schemaIds = new Map<TopicName, number>();
  const codecs = new Map<TopicName, Codec<never>>();
  const write = openSlab();
  for (const [index, { topic, text }] of texts.entries()) {
    const schemaId = (registered[index] as PromiseFulfilledResult<number>).value;
    schemaIds.set(topic, schemaId);
    codecs.set(topic, openCodec({ topic, type: readerType(text), schemaId, find: registry.find, write }));
  }
  const of = <Name extends TopicName>(topic: Name) => codecs.get(topic) as unknown as Codec<TopicValues[Name]>;
  return {
    schemaIds,
    of,
    encode: (topic, value) => of(topic).encode(value as never),
    async decode(topic, bytes) {
      const codec = of(topic);
      if (!codec.knows(bytes)) await codec.learn(bytes);
      return codec.decode(bytes);
    },
  };
};
