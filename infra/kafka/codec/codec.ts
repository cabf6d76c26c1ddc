import type { Buffer } from 'node:buffer';
import avro from 'avsc';
import { errorMessage, Fault } from '#domain/fault.ts';
import { shapeOf } from './avro-shape.ts';
import { HEADER_BYTES, type WriteValue } from './slab.ts';

/** Writes and reads the values of one topic. */
export interface Codec<T> {
  encode(value: T): Buffer;
  /** Whether the schema that these bytes were written with is known, so that they can be decoded. */
  knows(bytes: Buffer): boolean;
  /**
   * Asks the registry for that schema. Throws Fault `unavailable` when it is down, or the schema has kinds that only a newer program knows;
   * `invalid` when it has none of that id, or one of other records.
   */
  learn(bytes: Buffer): Promise<void>;
  /** Throws Fault `invalid` for what is no record of this topic. */
  decode(bytes: Buffer): T;
}

export interface CodecOptions {
  readonly topic: string;
  readonly type: avro.Type;
  /** Of our own schema in the registry. */
  readonly schemaId: number;
  /** The schema of an id, as its writer registered it. */
  readonly find: (schemaId: number) => Promise<avro.Type>;
  readonly write: WriteValue;
}

/** Undefined: written with our own schema. */
type Resolver = object | undefined;

/** The writer's type by structure alone, so that logical types are ours. */
const resolverOf = (type: avro.Type, writer: avro.Type): Resolver =>
  type.createResolver(avro.Type.forSchema(JSON.parse(JSON.stringify(writer.schema())) as avro.Schema));

export const openCodec = <T>({ topic, type, schemaId, find, write }: CodecOptions): Codec<T> => {
  const resolvers = new Map<number, Resolver>([[schemaId, undefined]]);
  const shape = shapeOf(type);
  const malformed = (cause: unknown): Fault => {
    const reason = errorMessage(cause);
    return new Fault('invalid', `This is no record of ${topic}: ${reason}`, [], { cause });
  };
  const schemaIdOf = (bytes: Buffer): number => {
    if (bytes.length < HEADER_BYTES || bytes[0] !== 0) throw malformed('it does not begin with the id of a schema');
    return bytes.readInt32BE(1);
  };
  const read = (bytes: Buffer, resolver: Resolver): T => {
    const { value, offset } = type.decode(bytes, HEADER_BYTES, resolver as never);
    if (offset !== bytes.length) throw new Error(offset < 0 ? 'it ends too early' : 'bytes are left over');
    return shape.from(value) as T;
  };
  return {
    encode: (value) => write(schemaId, type, shape.to(value)),
    knows: (bytes) => resolvers.has(schemaIdOf(bytes)),
    async learn(bytes) {
      const id = schemaIdOf(bytes);
      const writer = await find(id);
      try {
        resolvers.set(id, resolverOf(type, writer));
      } catch (cause) {
        if (writer.name !== type.name) throw malformed(cause);
        throw new Fault('unavailable', `Records of ${topic} were written by a newer program`, [], { cause });
      }
    },
    decode(bytes) {
      const id = schemaIdOf(bytes);
      if (!resolvers.has(id)) throw malformed(`schema ${id} is not known yet`);
      try {
        return read(bytes, resolvers.get(id));
      } catch (cause) {
        throw malformed(cause);
      }
    },
  };
};
