import type { Changes } from './changes.ts';
import type { SendableError } from './storage-failure.ts';

/** What the writer's thread is sent; null ends it. */
export type Write = { readonly era: number; readonly changes: Changes } | null;

/** Its answer to each write, in their order. */
export interface Written {
  readonly ms: number;
  /** Null when it is committed. */
  readonly error: SendableError | null;
}
