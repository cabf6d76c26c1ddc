import type { Command } from 'commander';
import type { AnalyzedChangeBody } from '#features/change-risk/schemas/changes.ts';
import type { InsightBody } from '#features/insights/schemas/insights.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { GroundsReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { citationLines, marked } from '#infra/cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { type Screen, tableOf } from '#infra/cli/terminal/screen.ts';
import { ciIdOf } from './find-ci.ts';

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

type Insight = ReplyOf<typeof InsightBody>;

const sentences = ({ claims }: GroundsReply): string[] => claims.map(({ text, refs }) => marked(text, refs));

const insightText = (insight: Insight): string => {
  const { insights, generatedAt, generatedBy, model, citations } = insight;
  const said = sentences(insight);
  const by = generatedBy === 'rules' ? 'rules' : `model ${model}`;
  return [...(said.length === 0 ? [insights] : said), `(${by}, ${generatedAt})`, ...citationLines(citations)].join(
    '\n',
  );
};

const addInsight = (ci: Command, screen: Screen): Command =>
  connected(ci.command('insight'))
    .description('show the state of a configuration item')
    .argument('<ci>', 'id or name of the configuration item')
    .action(async (named: string, options: ConnectionOptions) => {
      const client = clientOf(options);
      const id = await ciIdOf(client, named);
      const insight = await client.get<Insight>(`/api/cmdb-ai/insights/${encodeURIComponent(id)}`);
      show(screen, options, insight, insightText);
    });

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

const addAssess = (ci: Command, screen: Screen): Command =>
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

export const addCi = (program: Command, { screen }: CliEnvironment): Command => {
  const ci = program.command('ci').description('configuration items');
  addMerge(ci, screen);
  addInsight(ci, screen);
  addAssess(ci, screen);
  return ci;
};
