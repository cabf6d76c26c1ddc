import type { Command } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';

export interface AssignmentOptions {
  /** False: nobody. */
  readonly user?: string | false | undefined;
  readonly team?: string | false | undefined;
}

/** Null takes it away; undefined leaves it as it is. */
interface Assignment {
  readonly user: string | null | undefined;
  readonly team: string | null | undefined;
}

export const assignmentOptions = (command: Command): Command =>
  command
    .option('--user <name>', 'id or user name; none takes it from its user')
    .option('--no-user', 'take it from its user')
    .option('--team <name>', 'id or name of the team; none takes it from its team')
    .option('--no-team', 'take it from its team');

const wanted = (given: string | false | undefined): string | null | undefined =>
  given === false || given === 'none' ? null : given;

export const assignmentOf = ({ user, team }: AssignmentOptions): Assignment => {
  if (user === undefined && team === undefined) throw new CliError('name --user, --team, --no-user or --no-team');
  return { user: wanted(user), team: wanted(team) };
};
