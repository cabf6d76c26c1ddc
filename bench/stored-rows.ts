/** What a stored event costs as packed rows, and as Avro with the schemas of the topics: the same rows of one directory, in turns. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type avro from 'avsc';
import type { Decision, Enriched } from '#domain/correlation/records.ts';
import { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import {
  DECISION_COLUMNS,
  type DecisionRow,
  linksText,
  outcomeText,
  toDecision,
} from '#infra/embedded/correlation/decision-row.ts';
import {
  arrivalText,
  ENRICHED_COLUMNS,
  type EnrichedRow,
  EnrichedTable,
  ratesText,
  toArrival,
  toRates,
} from '#infra/embedded/correlation/enriched-table.ts';
import {
  AroundPacker,
  type ArrivalSurroundings,
  unpackAround,
} from '#infra/embedded/correlation/packed-surroundings.ts';
import { readingOver } from '#infra/embedded/journal/connections.ts';
import { shapeOf } from '#infra/kafka/codec/avro-shape.ts';
import { readerType, schemaText } from '#infra/kafka/codec/schema-file.ts';
import { correlationHits, eventsEnriched, topics } from '#schemas/topics/topics.ts';
import { median } from './load.ts';
import type { Row } from './report.ts';

const ROWS = 20_000;
const ROUNDS = 5;

type Schema = { name?: string; fields?: { name: string }[] };

/** The definition of a named type within a schema. */
function definition(schema: unknown, name: string): Schema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ((schema as Schema).name === name && (schema as Schema).fields !== undefined) return schema as Schema;
  for (const part of Object.values(schema)) {
    const found = definition(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const schemaOf = (topic: string, name: string): Schema =>
  definition(JSON.parse(schemaText(topics.find((one) => one.name === topic)!)), name)!;
const without = (schema: Schema, ...names: string[]): Schema => ({
  ...schema,
  fields: schema.fields!.filter((field) => !names.includes(field.name)),
});
const record = (name: string, fields: object): object => ({
  ...{ type: 'record', name },
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
});
const JSON_TEXT = { type: 'string', logicalType: 'json' };

interface Codec<T> {
  /** Bytes. */
  size(value: T): number;
  write(value: T): unknown;
  read(written: never): unknown;
}

function avroCodec<T>(schema: object): Codec<T> {
  const type: avro.Type = readerType(JSON.stringify(schema));
  const { to, from } = shapeOf(type);
  return {
    size: (value) => type.toBuffer(to(value)).length,
    write: (value) => type.toBuffer(to(value)),
    read: (bytes) => from(type.fromBuffer(bytes)),
  };
}

interface Kind<T> {
  readonly name: string;
  readonly rows: readonly T[];
  readonly packed: Codec<T>;
  readonly avro: Codec<T>;
}

/** Microseconds of one value. */
function timed<T>(values: readonly T[], work: (value: T) => unknown): number {
  const began = performance.now();
  for (const value of values) work(value);
  return ((performance.now() - began) * 1_000) / values.length;
}

function measured<T>({ name, rows, packed, avro: other }: Kind<T>): Row[] {
  const codecs = [packed, other];
  const written = codecs.map((codec) => rows.map((row) => codec.write(row)));
  const sizes = codecs.map((codec) => rows.reduce((sum, row) => sum + codec.size(row), 0) / rows.length);
  const times = codecs.map(() => ({ write: [] as number[], read: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, codec] of codecs.entries()) {
      times[index]!.write.push(timed(rows, (row) => codec.write(row)));
      times[index]!.read.push(timed(written[index] as never[], (row) => codec.read(row)));
    }
  const row = (what: string, unit: string, [own, avroValue]: readonly number[]): Row => ({
    ...{ what: `${name}: ${what} as Avro`, value: avroValue!, unit },
    ...{ baseline: own!, of: 'packed' },
    note: `${rows.length} rows`,
  });
  return [
    row('size', 'bytes', sizes),
    row(
      'writing',
      'µs',
      times.map(({ write }) => median(write)),
    ),
    row(
      'reading',
      'µs',
      times.map(({ read }) => median(read)),
    ),
  ];
}

const rest = { tenant: 't', position: 1, eventId: '01J00000000000000000000000', time: 2, chain: [] };

const arrivals = (rows: readonly Enriched[]): Kind<Pick<Enriched, 'arrival' | 'rates'>> => ({
  name: 'arrival and rates',
  rows: rows.map(({ arrival, rates }) => ({ arrival, rates })),
  packed: {
    size: ({ arrival, rates }) => Buffer.byteLength(arrivalText(arrival)) + Buffer.byteLength(ratesText(rates)),
    write: ({ arrival, rates }) => [arrivalText(arrival), ratesText(rates)],
    read: ([arrival, rates]: [string, string]) => [toArrival(arrival, rest), toRates(rates)],
  } as Codec<Pick<Enriched, 'arrival' | 'rates'>>,
  avro: avroCodec(
    record('Row', {
      arrival: without(schemaOf(eventsEnriched, 'Arrival'), 'tenant', 'position', 'eventId', 'time', 'chain'),
      rates: schemaOf(eventsEnriched, 'Rates'),
    }),
  ),
});

const decisions = (rows: readonly Decision[]): Kind<Decision> => {
  const strings = { type: 'array', items: 'string' };
  const link = schemaOf(correlationHits, 'Link');
  const refused = { ...link, name: 'Refused', fields: [...link.fields!, { name: 'guard', type: 'string' }] };
  // A schema defines a name once.
  const named = JSON.parse(JSON.stringify(refused).replace(/\{"type":"record","name":"Reason".*?\]\}/, '"Reason"'));
  const schema = record('Decision', {
    accepted: { type: 'array', items: link },
    refused: { type: 'array', items: named },
    ...{ joined: strings, merged: strings, closed: strings },
    others: JSON_TEXT,
  });
  const whole = avroCodec<object>(schema);
  const split = ({ accepted, refused: out, joined, merged, closed, cut, ...others }: Decision) => {
    const { refusedBeyond, profile, hand, founded, witnessed, apart, reunited, heirOf, manual } = others;
    const more = { cut, refusedBeyond, profile, hand, founded, witnessed, apart, reunited, heirOf, manual };
    return { accepted, refused: out, joined, merged, closed, others: more };
  };
  return {
    ...{ name: 'decision', rows },
    packed: {
      size: (decision) => Buffer.byteLength(linksText(decision)) + Buffer.byteLength(outcomeText(decision)),
      write: (decision) => [outcomeText(decision), linksText(decision)],
      read: ([outcome, links]: [string, string]) => toDecision(['t', 1, rest.eventId, null, outcome, links]),
    } as Codec<Decision>,
    avro: {
      size: (decision) => whole.size(split(decision)),
      write: (decision) => whole.write(split(decision)),
      read: (bytes) => whole.read(bytes),
    },
  };
};

interface Numbered {
  readonly around: ArrivalSurroundings;
  readonly body: Uint8Array;
}

const surroundings = (rows: readonly Numbered[], names: CiDictionary): Kind<Numbered> => {
  const near = { ci: 'int', hops: 'int', via: 'int' };
  const lists = avroCodec<object>(
    record('Around', {
      ...{ truncated: 'boolean', degree: 'int', reach2: 'int', reach3: 'int', all: 'int' },
      upstream: { type: 'array', items: record('Near', near) },
      chain: { type: 'array', items: 'Near' },
      near: { type: 'array', items: record('Neighbour', { ...near, criticalHops: 'int' }) },
    }),
  );
  type Near = { ci: string; hops: number; via: string | null };
  const numbered = <T extends Near>(list: readonly T[]) =>
    list.map((one) => ({ ...one, ci: names.numberOf(one.ci), via: one.via === null ? -1 : names.numberOf(one.via) }));
  const split = ({ around: { chain, surroundings: of } }: Numbered) => ({
    ...of,
    ...{ chain: numbered(chain), upstream: numbered(of.upstream), near: numbered(of.near) },
  });
  const back = (value: unknown) => {
    const named = (list: { ci: number; via: number }[]) =>
      list.map((one) => ({ ...one, ci: names.idOf(one.ci), via: one.via === -1 ? null : names.idOf(one.via) }));
    type List = { ci: number; via: number }[];
    const { chain, near: around, upstream, ...counts } = value as Record<'chain' | 'near' | 'upstream', List>;
    return { chain: named(chain), surroundings: { ...counts, near: named(around), upstream: named(upstream) } };
  };
  const packer = new AroundPacker(names);
  return {
    ...{ name: 'surroundings', rows },
    packed: {
      size: ({ body }) => body.length,
      write: ({ around }) => packer.pack(around),
      read: (body: Uint8Array) => unpackAround(body, names),
    } as Codec<Numbered>,
    avro: {
      size: (one) => lists.size(split(one)),
      write: (one) => lists.write(split(one)),
      read: (bytes) => back(lists.read(bytes)),
    },
  };
};

/** Only reads the directory, whose server has ended. */
export function storedRows(directory: string): Row[] {
  const db = new DatabaseSync(join(directory, 'faultline.db'), { readOnly: true });
  const reading = readingOver(db);
  const names = new CiDictionary(reading);
  const table = new EnrichedTable(reading, names);
  const newest = (columns: string, from: string): unknown[][] =>
    reading.arrays<unknown[]>(`SELECT ${columns} FROM ${from} ORDER BY position DESC LIMIT ?`).all(ROWS);
  const enriched = newest(ENRICHED_COLUMNS, 'enriched n').map((row) => table.toEnriched(row as unknown as EnrichedRow));
  const decided = newest(DECISION_COLUMNS, 'decision d').map((row) => toDecision(row as unknown as DecisionRow));
  const around = reading
    .arrays<[Uint8Array]>('SELECT body FROM surroundings ORDER BY id DESC LIMIT ?')
    .all(ROWS)
    .map(([body]) => ({ body, around: unpackAround(body, names) }));
  const rows = [...measured(arrivals(enriched)), ...measured(decisions(decided))];
  if (around.length > 0) rows.push(...measured(surroundings(around, names)));
  db.close();
  return rows;
}
