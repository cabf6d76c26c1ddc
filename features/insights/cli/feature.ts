import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { ciIdOf } from '#cli/commands/ci/find-ci.ts';
import { citationLines, sentences } from '#cli/commands/cited-texts.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { InsightBody } from '#features/insights/schemas/insights.ts';

type Insight = ReplyOf<typeof InsightBody>;

const insightText = (insight: Insight): string => {
  const { insights, generatedAt, generatedBy, model, citations } = insight;
  const said = sentences(insight);
  const by = generatedBy === 'rules' ? 'rules' : `model ${model}`;
  return [...(said.length === 0 ? [insights] : said), `(${by}, ${generatedAt})`, ...citationLines(citations)].join(
    '\n',
  );
};

const addInsight = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('insight'))
    .description('show the status of a CI')
    .argument('<ci>', 'CI ID or name')
    .action(async (named: string, options: ConnectionOptions) => {
      const client = clientOf(options);
      const id = await ciIdOf(client, named);
      const insight = await client.get<Insight>(`/api/cmdb-ai/insights/${encodeURIComponent(id)}`);
      show(screen, options, insight, insightText);
    });

export const insights: CliFeature = { id: 'insights', ciCommands: [{ place: 13, add: addInsight }] };
