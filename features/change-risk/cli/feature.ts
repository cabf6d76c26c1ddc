import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { ciIdOf } from '#cli/commands/ci/find-ci.ts';
import { citationLines, sentences } from '#cli/commands/cited-texts.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { tableOf } from '#cli/terminal/screen.ts';
import type { AnalyzedChangeBody } from '#features/change-risk/schemas/changes.ts';

interface AssessOptions extends ConnectionOptions {
  readonly at?: string;
  readonly for?: string;
}
type Assessed = ReplyOf<typeof AnalyzedChangeBody>;

const factorTable = (factors: Assessed['factors']): string =>
  tableOf(
    ['factor', { title: 'value', width: 60 }, { title: 'effect', right: true }, 'from'],
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

const addAssess = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('assess'))
    .description('assess the risk of a planned change and save the assessment')
    .argument('<ci>', 'CI ID or name')
    .argument(
      '<change>',
      'change type: restart, patch, config, hardware, upgrade, network, database, decommission, or free text',
    )
    .option('--at <time>', 'planned time (ISO 8601)')
    .option('--for <duration>', 'planned duration, for example 2h30m')
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

export const changeRisk: CliFeature = { id: 'change-risk', ciCommands: [{ place: 16, add: addAssess }] };
