import { readFileSync } from 'node:fs';
import avro from 'avsc';
import { withStrategies } from '#schemas/topics/strategies.ts';
import type { Topic } from '#schemas/topics/topics.ts';
import { AvroJson } from './avro-json.ts';

const FOLDER = new URL('../../../schemas/topics/', import.meta.url);

/** The text of a topic's schema, as it is registered. */
export const schemaText = ({ schema }: Topic): string => withStrategies(readFileSync(new URL(schema, FOLDER), 'utf8'));

/** The type of a topic's schema as this code reads and writes it. */
export const readerType = (text: string): avro.Type =>
  avro.Type.forSchema(JSON.parse(text) as avro.Schema, { logicalTypes: { json: AvroJson }, omitRecordMethods: true });
