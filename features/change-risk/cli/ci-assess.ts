import type { Command } from 'commander';
import type { AnalyzedChangeBody } from '#features/change-risk/schemas/changes.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { ciIdOf } from '#infra/cli/commands/ci/find-ci.ts';
import { citationLines, sentences } from '#infra/cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { tableOf } from '#infra/cli/terminal/screen.ts';

interface AssessOptions extends ConnectionOptions {
  readonly at?: string;
  readonly for?: string;
}
type Assessed = ReplyOf<typeof AnalyzedChangeBody>;

const factorTable = (factors: Assessed['factors']): string =>
  tableOf(
    [{ title: 'factor' }, { title: 'value', width: 60 }, { title: 'effect', right: true }, { title: 'from' }],
    factors.map(({ name, value, effect, refs }) => [name, String(value), effect.toFixed(2), refs.join(', ')]),
  );

const assessedText = (assessed: Assessed): string => {
  const { riskScore, riskLevel, factors, recommendations, citations } = assessed;
  return [
    `Risk ${riskScore} of 100: ${riskLevel}.`,
    ...sentences(assessed),
    factorTable(factors),
    ...recommendations.map((text) => `- ${text}`),
    ...citationLines(citations),
  ].join('\n');
};

export const addAssess = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('assess'))
    .description('judge how risky a planned change of a configuration item is, and keep the judgement')
    .argument('<ci>', 'id or name of the configuration item')
    .argument('<change>', 'restart, patch, config, hardware, upgrade, network, database, decommission, or free words')
    .option('--at <time>', 'when it is planned, ISO 8601')
    .option('--for <duration>', 'how long it takes: 2h30m')
    .action(async (named: string, changeType: string, options: AssessOptions) => {
      const client = clientOf(options);
      const time = {
        ...(options.at && { plannedTime: options.at }),
        ...(options.for && { plannedDuration: options.for }),
      };
      const body = { ciId: await ciIdOf(client, named), changeType, ...time };
      const assessed = await client.post<Assessed>('/api/change-analysis/analyze', body);
      show(screen, options, assessed, assessedText);
    });
