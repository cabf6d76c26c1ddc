import type { BulkWriter } from './bulk.ts';
import type { Connection } from './connection.ts';
import type { Indices } from './indices.ts';
import type { Names } from './names.ts';

/** Shared by all adapters of one cluster. */
export interface Store {
  readonly connection: Connection;
  readonly names: Names;
  readonly indices: Indices;
  readonly bulk: BulkWriter;
}
