import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';

export interface AssignmentOptions {
  /** False: unassigned. */
  readonly user?: string | false | undefined;
  readonly team?: string | false | undefined;
}

/** Null unassigns; undefined leaves it unchanged. */
interface Assignment {
  readonly user: string | null | undefined;
  readonly team: string | null | undefined;
}

export const assignmentOptions = (command: Command): Command =>
  command
    .option('--user <name>', 'user ID or username; "none" unassigns the user')
    .option('--no-user', 'unassign the user')
    .option('--team <name>', 'team ID or name; "none" unassigns the team')
    .option('--no-team', 'unassign the team');

const wanted = (given: string | false | undefined): string | null | undefined =>
  given === false || given === 'none' ? null : given;

export const assignmentOf = ({ user, team }: AssignmentOptions): Assignment => {
  if (user === undefined && team === undefined) throw new CliError('pass --user, --team, --no-user or --no-team');
  return { user: wanted(user), team: wanted(team) };
};
