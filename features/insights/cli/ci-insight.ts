import type { Command } from 'commander';
import type { InsightBody } from '#features/insights/schemas/insights.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { ciIdOf } from '#infra/cli/commands/ci/find-ci.ts';
import { citationLines, sentences } from '#infra/cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

type Insight = ReplyOf<typeof InsightBody>;

const insightText = (insight: Insight): string => {
  const { insights, generatedAt, generatedBy, model, citations } = insight;
  const said = sentences(insight);
  const by = generatedBy === 'rules' ? 'rules' : `model ${model}`;
  return [...(said.length === 0 ? [insights] : said), `(${by}, ${generatedAt})`, ...citationLines(citations)].join(
    '\n',
  );
};

export const addInsight = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('insight'))
    .description('show the state of a configuration item')
    .argument('<ci>', 'id or name of the configuration item')
    .action(async (named: string, options: ConnectionOptions) => {
      const client = clientOf(options);
      const id = await ciIdOf(client, named);
      const insight = await client.get<Insight>(`/api/cmdb-ai/insights/${encodeURIComponent(id)}`);
      show(screen, options, insight, insightText);
    });
