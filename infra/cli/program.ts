import { Command } from 'commander';
import { addCi } from './commands/ci/ci.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDeadLetters } from './commands/dead-letters.ts';
import { addEvent } from './commands/event/event.ts';
import { addEvents } from './commands/event/list.ts';
import { addExplain } from './commands/explain.ts';
import { addInPlace, type CommandEntry } from './commands/feature.ts';
import { addGroup } from './commands/group/group.ts';
import { addGroups } from './commands/group/list.ts';
import { addTeams, addTenants, addUsers } from './commands/lists.ts';
import { addPipeline } from './commands/pipeline.ts';
import { addQuality } from './commands/quality/quality.ts';
import { addRebuildGroups } from './commands/rebuild-groups.ts';
import { addSend } from './commands/send.ts';
import { addSettings } from './commands/settings/settings.ts';
import { addToken } from './commands/token.ts';
import { addWatch } from './commands/watch/watch.ts';
import { features } from './features.ts';
import type { CliEnvironment } from './terminal/environment.ts';

const CORE: readonly CommandEntry[] = [
  { place: 10, add: addSend },
  { place: 20, add: addEvents },
  { place: 30, add: addEvent },
  { place: 40, add: addGroups },
  { place: 50, add: addGroup },
  { place: 60, add: addExplain },
  { place: 70, add: addUsers },
  { place: 80, add: addTeams },
  { place: 90, add: addTenants },
  { place: 100, add: addCi(features) },
  { place: 110, add: addPipeline },
  { place: 120, add: addDeadLetters },
  { place: 130, add: addQuality(features) },
  { place: 140, add: addRebuildGroups },
  { place: 150, add: addSettings(features) },
  { place: 160, add: addToken },
  { place: 170, add: addWatch(features) },
  { place: 180, add: addCompletion },
];

/** Every command; `world` is what they need of the outside. */
export const programFor = (environment: CliEnvironment, version: string): Command => {
  const program = new Command('faultline')
    .description('Event correlation and CMDB service: from a flood of monitoring events to the few faults behind them')
    .version(version)
    .showHelpAfterError('(add --help for what is possible)');
  program
    .command('serve')
    .description('start the server of the environment variables, as npm start does')
    .action(() => environment.serve());
  addInPlace(program, environment, [...CORE, ...features.flatMap(({ commands = [] }) => commands)]);
  return program;
};
