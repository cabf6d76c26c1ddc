import { Command } from 'commander';
import { addDemo } from '#features/demo/cli/demo.ts';
import { addAnalyze } from '#features/insights/cli/analyze.ts';
import { addInsights } from '#features/insights/cli/insights.ts';
import { addAsk } from '#features/questions/cli/ask.ts';
import { addReport } from '#features/reports/cli/report.ts';
import { addSearch } from '#features/search/cli/search.ts';
import { addService } from '#features/services/cli/service.ts';
import { addSilence } from '#features/silences/cli/silence.ts';
import { addExport } from '#features/transfer/cli/export.ts';
import { addImport } from '#features/transfer/cli/import.ts';
import { addWebhook } from '#features/webhooks/cli/webhook.ts';
import { addCi } from './commands/ci/ci.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDeadLetters } from './commands/dead-letters.ts';
import { addEvent } from './commands/event/event.ts';
import { addEvents } from './commands/event/list.ts';
import { addExplain } from './commands/explain.ts';
import { addGroup } from './commands/group/group.ts';
import { addGroups } from './commands/group/list.ts';
import { addLists } from './commands/lists.ts';
import { addPipeline } from './commands/pipeline.ts';
import { addQuality } from './commands/quality/quality.ts';
import { addRebuildGroups } from './commands/rebuild-groups.ts';
import { addSend } from './commands/send.ts';
import { addSettings } from './commands/settings/settings.ts';
import { addToken } from './commands/token.ts';
import { addWatch } from './commands/watch/watch.ts';
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
