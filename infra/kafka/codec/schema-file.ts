import { readFileSync } from 'node:fs';
import avro from 'avsc';
import { withStrategies } from '#schemas/topics/strategies.ts';
import type { Topic } from '#schemas/topics/topics.ts';

const parse = (text: string): unknown => JSON.parse(text) as unknown;

/**
 * Free JSON (`details`) as one string: a map of unions is too expensive, and no consumer filters by it on Kafka. Values
 * outside JSON (undefined, NaN) were never in it.
 */
class AvroJson extends avro.types.LogicalType {
  /** Null is left to unions: `undefined` means that it is no JSON of ours. */
  protected override _toValue(value: unknown): unknown {
    return value === null ? undefined : JSON.stringify(value);
  }
  protected override _fromValue(text: string): unknown {
    return parse(text);
  }
  /** Writers' types are read without logical types, so that the writer's is the plain string. */
  protected override _resolve(writer: avro.Type): typeof parse | undefined {
    return writer.typeName === 'string' ? parse : undefined;
  }
}

const FOLDER = new URL('../../../schemas/topics/', import.meta.url);

/** The text of a topic's schema, as it is registered. */
export const schemaText = ({ schema }: Topic): string => withStrategies(readFileSync(new URL(schema, FOLDER), 'utf8'));

/** The type of a topic's schema as this code reads and writes it. */
export const readerType = (text: string): avro.Type =>
  avro.Type.forSchema(JSON.parse(text) as avro.Schema, { logicalTypes: { json: AvroJson }, omitRecordMethods: true });
