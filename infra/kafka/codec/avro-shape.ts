import avro from 'avsc';

type Convert = (value: unknown) => unknown;
type Fields = Record<string, unknown>;
const { ArrayType, EnumType, MapType, RecordType, UnwrappedUnionType, WrappedUnionType } = avro.types;

/** The one field of a root record that only gives a union a name. */
const WRAPPER = 'value';
const isWrapper = (type: avro.Type): type is avro.types.RecordType =>
  type instanceof RecordType && type.fields.length === 1 && type.fields[0]?.name === WRAPPER;

/** An optional property is a union with null whose default is null; a nullable one has no default. */
const isOptional = ({ type, defaultValue }: avro.types.Field): boolean =>
  type.typeName.startsWith('union') && defaultValue() === null;

const branchesOf = (type: avro.Type): readonly avro.Type[] => (type as avro.types.UnwrappedUnionType).types as never;
/** Of `["null", T]`. */
const innerOf = (type: avro.Type): avro.Type =>
  branchesOf(type).find(({ typeName }) => typeName !== 'null') as avro.Type;

/** A plain object without what is optional and null. */
const plain = (type: avro.types.RecordType): Convert => {
  const fields = type.fields.map((field) => ({
    name: field.name,
    optional: isOptional(field),
    convert: fromAvro(field.type),
  }));
  return (record) => {
    const result: Fields = {};
    for (const { name, optional, convert } of fields) {
      const value = (record as Fields)[name];
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
    const [name, value] = Object.entries(wrapped as Fields)[0] as [string, unknown];
    const convert = converts.get(name) ?? null;
    return convert === null ? value : convert(value);
  };
};

/** From what avsc reads to the value that was written; null when they are the same. */
const fromAvro = (type: avro.Type): Convert | null => {
  if (type instanceof RecordType) return plain(type);
  if (type instanceof ArrayType) return each(fromAvro(type.itemsType));
  if (type instanceof MapType) return (map) => ({ ...(map as Fields) });
  if (type instanceof WrappedUnionType) return unwrap(type);
  return type instanceof UnwrappedUnionType ? unlessNull(fromAvro(innerOf(type))) : null;
};

/** The marks of a branch, from its first field: the symbols of its enum, else its default. */
const marksOf = (field: avro.types.Field): readonly unknown[] =>
  field.type instanceof EnumType ? field.type.symbols : [field.defaultValue()];

/** A union of records is told apart by the first field, which has the same name in all of them. */
const wrap = ({ types }: avro.types.WrappedUnionType): Convert => {
  const branches = types.filter((branch) => branch instanceof RecordType);
  const key = branches[0]?.fields[0]?.name as string;
  const byMark = new Map(
    branches.flatMap((branch) =>
      marksOf(branch.field(key)).map((mark) => [mark, { name: branch.branchName as string, convert: toAvro(branch) }]),
    ),
  );
  return (value) => {
    const branch = byMark.get((value as Fields)[key]);
    if (branch === undefined) throw new TypeError(`${key} ${String((value as Fields)[key])} is not in the schema`);
    return { [branch.name]: branch.convert === null ? value : branch.convert(value) };
  };
};

const recordToAvro = (type: avro.types.RecordType): Convert | null => {
  const fields = type.fields.map((field) => ({ name: field.name, convert: toAvro(field.type) }));
  const changed = fields.filter((field): field is { name: string; convert: Convert } => field.convert !== null);
  if (changed.length === 0) return null;
  return (value) => {
    const result: Fields = { ...(value as Fields) };
    for (const { name, convert } of changed) result[name] = convert(result[name]);
    return result;
  };
};

/** From a value to what avsc writes; null when they are the same. */
const toAvro = (type: avro.Type): Convert | null => {
  if (type instanceof RecordType) return recordToAvro(type);
  if (type instanceof ArrayType) return each(toAvro(type.itemsType));
  if (type instanceof WrappedUnionType) return wrap(type);
  return type instanceof UnwrappedUnionType ? unlessNull(toAvro(innerOf(type))) : null;
};

/** Both ways for a root type. */
export const shapeOf = (type: avro.Type): { readonly to: Convert; readonly from: Convert } => {
  const same: Convert = (value) => value;
  const [to, from] = [toAvro(type) ?? same, fromAvro(type) ?? same];
  if (!isWrapper(type)) return { to, from };
  return { to: (value) => to({ [WRAPPER]: value }), from: (value) => (from(value) as Fields)[WRAPPER] };
};
