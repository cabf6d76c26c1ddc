import type { Command, Option } from 'commander';
import type { Client } from '#infra/cli/client/client.ts';
import type { ConnectionOptions } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

export interface CommandEntry {
  /** In the list of commands: those of the core have tens, those of features come between them. */
  readonly place: number;
  readonly add: (program: Command, environment: CliEnvironment) => unknown;
}

/** A thing that `watch` follows: a line of text on a terminal, and what a change of it shows in. */
export interface WatchedLine {
  readonly text: string;
  readonly facts: object;
}
export interface WatchedKind {
  /** Of the stream of live changes. */
  readonly topic: string;
  /** As in `show the active groups and …`. */
  readonly words: string;
  /** By id; with a line for below the table of groups, or nothing. */
  readonly read: (
    client: Client,
  ) => Promise<{ readonly lines: ReadonlyMap<string, WatchedLine>; readonly summary: string }>;
}

/** Another way to measure quality, which an option chooses. */
export interface QualityMeasure {
  readonly option: Option;
  readonly others: readonly Option[];
  /** As in `how often causes were right …`. */
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
