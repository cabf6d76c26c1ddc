import { Command } from 'commander';
import { addAsk } from './commands/ask/ask.ts';
import { addCi } from './commands/ci/ci.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDeadLetters } from './commands/dead-letters.ts';
import { addDemo } from './commands/demo.ts';
import { addEvent } from './commands/event/event.ts';
import { addEvents } from './commands/event/list.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addGroup } from './commands/group/group.ts';
import { addGroups } from './commands/group/list.ts';
import { addImport } from './commands/import.ts';
import { addAnalyze } from './commands/insight/analyze.ts';
import { addInsights } from './commands/insight/insights.ts';
import { addLists } from './commands/lists.ts';
import { addPipeline } from './commands/pipeline.ts';
import { addQuality } from './commands/quality/quality.ts';
import { addRebuildGroups } from './commands/rebuild-groups.ts';
import { addReport } from './commands/report/report.ts';
import { addSearch } from './commands/search.ts';
import { addSend } from './commands/send.ts';
import { addService } from './commands/service/service.ts';
import { addSettings } from './commands/settings/settings.ts';
import { addSilence } from './commands/silence/silence.ts';
import { addToken } from './commands/token.ts';
import { addWatch } from './commands/watch/watch.ts';
import { addWebhook } from './commands/webhook/webhook.ts';
import type { CliEnvironment } from './terminal/environment.ts';

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
  for (const add of [
    addDemo,
    addSend,
    addEvents,
    addEvent,
    addGroups,
    addGroup,
    addExplain,
    addAnalyze,
    addInsights,
    addSearch,
    addLists,
    addImport,
    addExport,
    addCi,
    addAsk,
    addPipeline,
    addDeadLetters,
    addQuality,
    addRebuildGroups,
    addReport,
    addService,
    addSettings,
    addSilence,
    addToken,
    addWatch,
    addWebhook,
    addCompletion,
  ])
    add(program, environment);
  return program;
};
