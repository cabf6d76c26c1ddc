import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { ciLineKey } from '#domain/topology/import.ts';
import { relationshipType } from '#domain/topology/topology.ts';
import { edgeKey, type WantedCi, type WantedEdge, type WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { RowKind, SyncCi, SyncRelationship } from '#features/topology-sources/schemas/sync.ts';
import type { ForeignColumns } from '#features/transfer/http/foreign-columns.ts';
import { type FileColumns, type ReadRow, readRows } from '#features/transfer/http/read-rows.ts';
import {
  CI_COLUMNS,
  RELATIONSHIP_COLUMNS,
  RELATIONSHIP_TEXTS,
  type TransferFormat,
} from '#features/transfer/schemas/transfer.ts';
import { problemsOf } from '#schemas/http/problems.ts';

/** Maximum number of rows per request. */
const MAX_ROWS = 500_000;
const SHOWN = 100;
const SHOWN_PROBLEMS = 5;

const OWN: ForeignColumns = { columns: new Map(), dialects: [], own: new Map(), needed: [['kind']], typeOf: () => '' };
const COLUMNS: FileColumns = {
  names: [...new Set(['kind', ...CI_COLUMNS, ...RELATIONSHIP_COLUMNS])],
  bags: ['attributes', 'custom_fields'],
  texts: RELATIONSHIP_TEXTS,
  foreign: OWN,
};

interface FailedRow {
  readonly row: number;
  readonly error: string;
}
export interface ReadSet {
  readonly set: WantedSet;
  readonly rows: number;
  /** The first failed rows. */
  readonly failed: readonly FailedRow[];
  readonly isComplete: boolean;
}

type ReadThing = { readonly ci: WantedCi } | { readonly edge: WantedEdge } | { readonly error: string };

const firstProblems = (error: Parameters<typeof problemsOf>[0], value: unknown): string =>
  problemsOf(error, value)
    .slice(0, SHOWN_PROBLEMS)
    .map(({ field, reason }) => `${field}: ${reason}`)
    .join('; ');

function ciOf(value: unknown): ReadThing {
  const read = SyncCi.safeParse(value);
  if (!read.success) return { error: firstProblems(read.error, value) };
  const key = ciLineKey(read.data);
  return key === null ? { error: 'external_key, or name and type, are required' } : { ci: { key, line: read.data } };
}

function edgeOf(value: unknown): ReadThing {
  const read = SyncRelationship.safeParse(value);
  if (!read.success) return { error: firstProblems(read.error, value) };
  const {
    type: said,
    source_ci,
    source_type,
    target_ci,
    target_type,
    attributes,
    discovered_by,
    confidence,
  } = read.data;
  const type = relationshipType(said);
  const source = { text: source_ci, type: source_type };
  const target = { text: target_ci, type: target_type };
  return {
    edge: { key: edgeKey(type, source, target), line: { type, attributes, discovered_by, confidence }, source, target },
  };
}

function thingOf({ value, error }: ReadRow): ReadThing {
  if (error !== undefined) return { error };
  const kind = RowKind.safeParse(value);
  if (!kind.success || !isRecord(value)) return { error: 'kind: expected ci or relationship' };
  const { kind: _kind, ...fields } = value;
  return kind.data.kind === 'ci' ? ciOf(fields) : edgeOf(fields);
}

/** Reads all rows of a request; lists invalid rows and duplicates. */
export async function readSet(format: TransferFormat, body: AsyncIterable<Uint8Array>): Promise<ReadSet> {
  const cis = new Map<string, WantedCi>();
  const edges = new Map<string, WantedEdge>();
  const failed: FailedRow[] = [];
  let [rows, wrong] = [0, 0];
  const fail = (row: number, error: string): void => {
    wrong += 1;
    if (failed.length < SHOWN) failed.push({ row, error });
  };
  for await (const read of readRows(format, body, COLUMNS, { columns: new Map(), header: () => undefined })) {
    rows += 1;
    if (rows > MAX_ROWS) throw invalid('body', `expected at most ${MAX_ROWS} rows`);
    const thing = thingOf(read);
    if ('error' in thing) fail(read.row, thing.error);
    else if ('ci' in thing) {
      if (cis.has(thing.ci.key)) fail(read.row, 'refers to the same record as an earlier row');
      else cis.set(thing.ci.key, thing.ci);
    } else if (edges.has(thing.edge.key)) fail(read.row, 'refers to the same record as an earlier row');
    else edges.set(thing.edge.key, thing.edge);
  }
  if (rows === 0) throw invalid('body', 'expected at least one row');
  return { set: { cis: [...cis.values()], edges: [...edges.values()] }, rows, failed, isComplete: wrong === 0 };
}
