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
  /** Asks the registry for that schema. Throws Fault `unavailable` when it is down, `invalid` when it has none of that id. */
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
type Read = (bytes: Buffer) => unknown;

/** The writer's type by structure alone, so that logical types are ours. */
const resolverOf = (type: avro.Type, writer: avro.Type): Resolver =>
  type.createResolver(avro.Type.forSchema(JSON.parse(JSON.stringify(writer.schema())) as avro.Schema));

/**
 * For a writer whose schema has kinds unknown here, so that no resolver exists: records of known kinds are read, others throw. Ten times
 * as slow; only while a newer program runs beside this one.
 */
const readerOfNewer = (type: avro.Type, writer: avro.Type): Read => {
  const foreign = avro.Type.forSchema(JSON.parse(JSON.stringify(writer.schema())) as avro.Schema);
  const own = avro.Type.forSchema(type.schema({ exportAttrs: true }) as avro.Schema);
  const { from } = shapeOf(foreign);
  const { to } = shapeOf(own);
  return (bytes) => {
    const { value, offset } = foreign.decode(bytes, HEADER_BYTES);
    if (offset !== bytes.length) throw new Error('it does not end where its schema says');
    return type.fromBuffer(own.toBuffer(to(from(value))));
  };
};

export const openCodec = <T>({ topic, type, schemaId, find, write }: CodecOptions): Codec<T> => {
  const resolvers = new Map<number, Resolver>([[schemaId, undefined]]);
  const newer = new Map<number, Read>();
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
    knows: (bytes) => resolvers.has(schemaIdOf(bytes)) || newer.has(schemaIdOf(bytes)),
    async learn(bytes) {
      const id = schemaIdOf(bytes);
      const writer = await find(id);
      try {
        resolvers.set(id, resolverOf(type, writer));
      } catch {
        newer.set(id, readerOfNewer(type, writer));
      }
    },
    decode(bytes) {
      const id = schemaIdOf(bytes);
      const other = newer.get(id);
      if (other === undefined && !resolvers.has(id)) throw malformed(`schema ${id} is not known yet`);
      try {
        return other === undefined ? read(bytes, resolvers.get(id)) : (shape.from(other(bytes)) as T);
      } catch (cause) {
        throw malformed(cause);
      }
    },
  };
};
