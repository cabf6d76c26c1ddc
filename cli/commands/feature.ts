import type { Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { ConnectionOptions } from '#cli/client/connection.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';

export interface CommandEntry {
  /** Position in the list of commands: those of the core have tens, those of features are between them. */
  readonly place: number;
  readonly add: (program: Command, environment: CliEnvironment) => unknown;
}

/** A thing that `watch` follows: a line of text on a terminal, and the fields that show a change of it. */
export interface WatchedLine {
  readonly text: string;
  readonly facts: object;
}
export interface WatchedKind {
  /** Topic of the stream of live changes. */
  readonly topic: string;
  /** Words as in `show the active groups and …`. */
  readonly words: string;
  /** Reads by id; with a line for below the table of groups, or nothing. */
  readonly read: (
    client: Client,
  ) => Promise<{ readonly lines: ReadonlyMap<string, WatchedLine>; readonly summary: string }>;
}

/** Another way to measure quality, selected by an option. */
export interface QualityMeasure {
  readonly option: Option;
  readonly others: readonly Option[];
  /** Words as in `how often causes were right …`. */
  readonly words: string;
  /** `isGiven`: a server was named. */
  readonly run: (options: ConnectionOptions, isGiven: boolean, environment: CliEnvironment) => Promise<void>;
}

/** The part of a feature on the command line. */
export interface CliFeature {
  readonly id: string;
  readonly commands?: readonly CommandEntry[];
  readonly ciCommands?: readonly CommandEntry[];
  readonly settingsCommands?: readonly CommandEntry[];
  readonly watched?: readonly WatchedKind[];
  readonly measures?: readonly QualityMeasure[];
}

export const addInPlace = (program: Command, environment: CliEnvironment, entries: readonly CommandEntry[]): void => {
  for (const { add } of entries.toSorted((a, b) => a.place - b.place)) add(program, environment);
};
