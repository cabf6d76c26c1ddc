import type { BulkWriter } from './bulk.ts';
import type { Connection } from './connection.ts';
import type { Indices } from './indices.ts';
import type { Names } from './names.ts';

/** What all adapters of one cluster share. */
export interface Store {
  readonly connection: Connection;
  readonly names: Names;
  readonly indices: Indices;
  readonly bulk: BulkWriter;
}
