import avro from 'avsc';

const parse = (text: string): unknown => JSON.parse(text) as unknown;

/**
 * Free JSON (`details`) as one string: a map of unions costs more than it tells, and nobody filters by it on Kafka. What JSON cannot say
 * (undefined, NaN) was never in it.
 */
export class AvroJson extends avro.types.LogicalType {
  /** Null is left to unions: `undefined` says that it is no JSON of ours. */
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
