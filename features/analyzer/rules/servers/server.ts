import type { ServerRole, Tier } from '#features/analyzer/rules/catalogue/roles.ts';

/** A process that was seen, or an open port without its process; `port` is where it listens. */
export interface RunningProcess {
  readonly name: string | null;
  readonly port: number | null;
}

/** The fields of a server that rules read. */
export interface Server {
  readonly id: string;
  readonly hostname: string;
  /** Type of the CI; null when unknown, and for general types such as `server`. */
  readonly type: string | null;
  /** Names of installed software. */
  readonly software: readonly string[];
  readonly processes: readonly RunningProcess[];
}

/** Both ends of a connection. An end that is none of the servers is outside; null: unknown. */
export interface ServerLink {
  readonly source: string | null;
  readonly target: string | null;
  /** Port of the target. */
  readonly port: number | null;
}

/** Below this confidence a server is not classified. */
export const CLASSIFIED_FROM = 0.5;

export interface Classified {
  readonly id: string;
  readonly hostname: string;
  readonly role: ServerRole | 'unclassified';
  readonly tier: Tier | 'unclassified';
  /** Chance of the tier, 0 to 1, three digits; of an unclassified server that of the best one. */
  readonly confidence: number;
  /** Reasons, weightiest first. */
  readonly reasons: readonly string[];
}
