import type { Buffer } from 'node:buffer';
import avro from 'avsc';
import { errorMessage, Fault } from '#domain/fault.ts';
import { HEADER_BYTES, type WriteValue } from './buffer-pool.ts';

type Convert = (value: unknown) => unknown;
type AvroFields = Record<string, unknown>;
const { ArrayType, EnumType, MapType, RecordType, UnwrappedUnionType, WrappedUnionType } = avro.types;

/** The one field of a root record that only names a union. */
const WRAPPER = 'value';
const isWrapper = (type: avro.Type): type is avro.types.RecordType =>
  type instanceof RecordType && type.fields.length === 1 && type.fields[0]?.name === WRAPPER;

/** An optional property is a union with null whose default is null; a nullable one has no default. */
const isOptional = ({ type, defaultValue }: avro.types.Field): boolean =>
  type.typeName.startsWith('union') && defaultValue() === null;

const branchesOf = (type: avro.Type): readonly avro.Type[] => (type as avro.types.UnwrappedUnionType).types as never;
/** Returns T of `["null", T]`. */
const innerOf = (type: avro.Type): avro.Type =>
  branchesOf(type).find(({ typeName }) => typeName !== 'null') as avro.Type;

/** Returns a plain object without optional null fields. */
const plain = (type: avro.types.RecordType): Convert => {
  const fields = type.fields.map((field) => ({
    name: field.name,
    optional: isOptional(field),
    convert: fromAvro(field.type),
  }));
  return (record) => {
    const result: AvroFields = {};
    for (const { name, optional, convert } of fields) {
      const value = (record as AvroFields)[name];
      if (optional && value === null) continue;
      result[name] = convert === null ? value : convert(value);
    }
    return result;
  };
};

const each = (convert: Convert | null): Convert | null =>
  convert && ((items) => (items as unknown[]).map((item) => convert(item)));
const unlessNull = (convert: Convert | null): Convert | null =>
  convert && ((value) => (value === null || value === undefined ? value : convert(value)));

/** avsc reads a union of records as `{ name: record }`. */
const unwrap = ({ types }: avro.types.WrappedUnionType): Convert => {
  const converts = new Map(types.map((branch) => [branch.branchName, fromAvro(branch)]));
  return (wrapped) => {
    const [name, value] = Object.entries(wrapped as AvroFields)[0] as [string, unknown];
    const convert = converts.get(name) ?? null;
    return convert === null ? value : convert(value);
  };
};

/** Returns the conversion from the value that avsc reads to the written one; null when they are the same. */
const fromAvro = (type: avro.Type): Convert | null => {
  if (type instanceof RecordType) return plain(type);
  if (type instanceof ArrayType) return each(fromAvro(type.itemsType));
  if (type instanceof MapType) return (map) => ({ ...(map as AvroFields) });
  if (type instanceof WrappedUnionType) return unwrap(type);
  return type instanceof UnwrappedUnionType ? unlessNull(fromAvro(innerOf(type))) : null;
};

/** The marks of a branch, from its first field: the symbols of its enum, else its default. */
const marksOf = (field: avro.types.Field): readonly unknown[] =>
  field.type instanceof EnumType ? field.type.symbols : [field.defaultValue()];

/** A union of records is distinguished by the first field, which has the same name in all of them. */
const wrap = ({ types }: avro.types.WrappedUnionType): Convert => {
  const branches = types.filter((branch) => branch instanceof RecordType);
  const key = branches[0]?.fields[0]?.name as string;
  const byMark = new Map(
    branches.flatMap((branch) =>
      marksOf(branch.field(key)).map((mark) => [mark, { name: branch.branchName as string, convert: toAvro(branch) }]),
    ),
  );
  return (value) => {
    const branch = byMark.get((value as AvroFields)[key]);
    if (branch === undefined) throw new TypeError(`${key} ${String((value as AvroFields)[key])} is not in the schema`);
    return { [branch.name]: branch.convert === null ? value : branch.convert(value) };
  };
};

const recordToAvro = (type: avro.types.RecordType): Convert | null => {
  const fields = type.fields.map((field) => ({ name: field.name, convert: toAvro(field.type) }));
  const changed = fields.filter((field): field is { name: string; convert: Convert } => field.convert !== null);
  if (changed.length === 0) return null;
  return (value) => {
    const result: AvroFields = { ...(value as AvroFields) };
    for (const { name, convert } of changed) result[name] = convert(result[name]);
    return result;
  };
};

/** Returns the conversion from a value to its form in avsc; null when they are the same. */
const toAvro = (type: avro.Type): Convert | null => {
  if (type instanceof RecordType) return recordToAvro(type);
  if (type instanceof ArrayType) return each(toAvro(type.itemsType));
  if (type instanceof WrappedUnionType) return wrap(type);
  return type instanceof UnwrappedUnionType ? unlessNull(toAvro(innerOf(type))) : null;
};

/** Returns both conversions for a root type. */
const shapeOf = (type: avro.Type): { readonly to: Convert; readonly from: Convert } => {
  const same: Convert = (value) => value;
  const [to, from] = [toAvro(type) ?? same, fromAvro(type) ?? same];
  if (!isWrapper(type)) return { to, from };
  return { to: (value) => to({ [WRAPPER]: value }), from: (value) => (from(value) as AvroFields)[WRAPPER] };
};

/** Writes and reads the values of one topic. */
export interface Codec<T> {
  encode(value: T): Buffer;
  /** True if the schema of these bytes is known, so that they can be decoded. */
  knows(bytes: Buffer): boolean;
  /**
   * Asks the registry for that schema. Throws Fault `unavailable` when it is down, or the schema has kinds that only a newer program knows;
   * `invalid` when it has none of that id, or one of other records.
   */
  learn(bytes: Buffer): Promise<void>;
  /** Throws Fault `invalid` for bytes that are no record of this topic. */
  decode(bytes: Buffer): T;
}

export interface CodecOptions {
  readonly topic: string;
  readonly type: avro.Type;
  /** Id of our own schema in the registry. */
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
    return new Fault('invalid', `Not a record of ${topic}: ${reason}`, [], { cause });
  };
  const schemaIdOf = (bytes: Buffer): number => {
    if (bytes.length < HEADER_BYTES || bytes[0] !== 0) throw malformed("it doesn't begin with a schema ID");
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
        throw new Fault('unavailable', `Records of ${topic} were written by a newer version`, [], { cause });
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
