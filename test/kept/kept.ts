import type { TestApp } from '#test/setup/test-app.ts';

/** Files of a data directory that a killed server leaves. */
export const FILES = ['faultline.db', 'faultline.db-wal', 'faultline.redo', 'faultline.redo2'] as const;

export const ENGINES = 'engines.json.gz';

/** A later version answers these the same, perhaps with more fields. */
const ASKED = [
  '/api/events',
  '/api/events/groups',
  '/v1/cmdb/ci',
  '/v1/cmdb/relationships',
  '/api/events/silences',
  '/api/admin/users',
  '/api/admin/audit',
  '/api/webhooks',
  '/api/services',
] as const;

type Answers = Readonly<Record<string, object>>;

export const answersOf = async (send: TestApp['send']): Promise<Answers> =>
  Object.fromEntries(await Promise.all(ASKED.map(async (path) => [path, (await send('GET', path)).body])));

/** Left in Elasticsearch and Neo4j by a server of that version. */
export interface KeptEngines {
  readonly indices: Readonly<Record<string, KeptIndex>>;
  /** Statements. */
  readonly schema: readonly string[];
  readonly nodes: readonly { readonly labels: readonly string[]; readonly properties: object }[];
  /** Ends are places in `nodes`. */
  readonly relationships: readonly {
    readonly type: string;
    readonly from: number;
    readonly to: number;
    readonly properties: object;
  }[];
  readonly answers: Answers;
}
interface KeptIndex {
  readonly mappings: object;
  readonly aliases: object;
  readonly settings: object;
  readonly documents: readonly { readonly _id: string; readonly _version: number; readonly _source: object }[];
}

/** A record as a topic has it, with the schema of its writer. */
export interface KeptRecord {
  readonly topic: string;
  readonly schema: object;
  readonly bytes: string;
}
