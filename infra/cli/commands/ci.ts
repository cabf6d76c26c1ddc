import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { type Screen, tableOf } from '#infra/cli/terminal/screen.ts';

interface MergeOptions extends ConnectionOptions {
  readonly reason?: string;
}
interface Merged {
  readonly message: string;
  readonly relationships_moved: number;
  readonly relationships_ended: number;
}

const mergedText = ({ message, relationships_moved: moved, relationships_ended: ended }: Merged): string =>
  `${message}. Relationships: ${moved} moved or joined, ${ended} ended. Open events follow within seconds.`;

const addMerge = (ci: Command, screen: Screen): Command =>
  connected(ci.command('merge'))
    .description('say that two configuration items are one; this cannot be undone')
    .argument('<into>', 'id of the one that stays')
    .argument('<from>', 'id of the one that goes; it leads to the other from then on')
    .option('--reason <text>', 'for the audit trail')
    .action(async (into: string, from: string, options: MergeOptions) => {
      const path = `/v1/cmdb/ci/${encodeURIComponent(into)}/merge`;
      const body = { from, ...(options.reason && { reason: options.reason }) };
      show(screen, options, await clientOf(options).post<Merged>(path, body), mergedText);
    });

interface Insight {
  readonly insights: string;
  readonly generatedAt: string;
  readonly generatedBy: string;
}

const addInsight = (ci: Command, screen: Screen): Command =>
  connected(ci.command('insight'))
    .description('tell what matters about a configuration item')
    .argument('<id>', 'id of the configuration item')
    .action(async (id: string, options: ConnectionOptions) => {
      const insight = await clientOf(options).get<Insight>(`/api/cmdb-ai/insights/${encodeURIComponent(id)}`);
      show(screen, options, insight, ({ insights, generatedAt, generatedBy }) =>
        [insights, `(${generatedBy}, ${generatedAt})`].join('\n'),
      );
    });

interface AssessOptions extends ConnectionOptions {
  readonly at?: string;
  readonly for?: string;
}
interface Assessed {
  readonly riskScore: number;
  readonly riskLevel: string;
  readonly factors: readonly { readonly name: string; readonly value: string | number; readonly effect: number }[];
  readonly recommendations: readonly string[];
}

const assessedText = ({ riskScore, riskLevel, factors, recommendations }: Assessed): string =>
  [
    `Risk ${riskScore} of 100: ${riskLevel}.`,
    tableOf(
      [{ title: 'factor' }, { title: 'value', width: 60 }, { title: 'effect', right: true }],
      factors.map(({ name, value, effect }) => [name, String(value), effect.toFixed(2)]),
    ),
    ...recommendations.map((text) => `- ${text}`),
  ].join('\n');

const addAssess = (ci: Command, screen: Screen): Command =>
  connected(ci.command('assess'))
    .description('judge how risky a planned change of a configuration item is, and keep the judgement')
    .argument('<id>', 'id of the configuration item')
    .argument('<change>', 'restart, patch, config, hardware, upgrade, network, database, decommission, or free words')
    .option('--at <time>', 'when it is planned, ISO 8601')
    .option('--for <duration>', 'how long it takes: 2h30m')
    .action(async (ciId: string, changeType: string, options: AssessOptions) => {
      const time = {
        ...(options.at && { plannedTime: options.at }),
        ...(options.for && { plannedDuration: options.for }),
      };
      const body = { ciId, changeType, ...time };
      const assessed = await clientOf(options).post<Assessed>('/api/change-analysis/analyze', body);
      show(screen, options, assessed, assessedText);
    });

export const addCi = (program: Command, { screen }: CliEnvironment): Command => {
  const ci = program.command('ci').description('configuration items');
  addMerge(ci, screen);
  addInsight(ci, screen);
  addAssess(ci, screen);
  return ci;
};
