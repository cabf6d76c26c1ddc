import { type Command, Option } from 'commander';
import type { GeneratedInsightsBody } from '#features/detectors/schemas/detected.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { DataReply } from '#infra/cli/client/replies.ts';
import { ciIdOf } from '#infra/cli/commands/ci/find-ci.ts';
import { citationLines, marked } from '#infra/cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

type InsightsReply = DataReply<typeof GeneratedInsightsBody>;
type InsightReply = InsightsReply['data']['insights'][number];

interface InsightsOptions extends ConnectionOptions {
  readonly range?: string;
  readonly ci?: string;
  readonly service?: string;
  readonly kind?: readonly string[];
}

const oneText = ({ id, kind, severity, title, detail, recommendation, refs }: InsightReply): string =>
  [`${severity} ${kind}: ${title} (${id})`, `  ${marked(detail, refs)}`, `  → ${recommendation}`].join('\n');

const insightsText = ({ data }: InsightsReply): string => {
  const { insights, more, looked, failed, claims = [], citations } = data;
  const parts = looked.filter(({ truncated }) => truncated).map(({ what, read }) => `${read} ${what}`);
  return [
    ...(insights.length === 0 ? claims.map(({ text, refs }) => marked(text, refs)) : insights.map(oneText)),
    ...(more > 0 ? [`… and ${more} more; ask for some kinds with --kind`] : []),
    ...(parts.length > 0 ? [`Only a part was looked at: ${parts.join(', ')}.`] : []),
    ...(failed.length > 0 ? [`Not read in time: ${failed.join(', ')}.`] : []),
    ...citationLines(citations),
  ].join('\n');
};

/** Findings of detectors. */
export const addInsights = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('insights'))
    .description('find what deserves attention: noise, gaps in the map, trends, problems that come again')
    .option('--range <range>', '24h, last_30_days, yesterday, since monday; the last 7 days')
    .option('--ci <ci>', 'id or name of the configuration item to look at')
    .addOption(new Option('--service <id>', 'business service to look at').conflicts('ci'))
    .option('--kind <kinds...>', 'detectors to run, for example noisy-monitor repeated-incident')
    .action(async ({ range, ci, service, kind, ...options }: InsightsOptions) => {
      const client = clientOf(options);
      const scope = {
        ...(range !== undefined && { timeRange: range }),
        ...(ci !== undefined && { ciIds: [await ciIdOf(client, ci)] }),
        ...(service !== undefined && { serviceId: service }),
      };
      const body = { scope, ...(kind !== undefined && { kinds: kind }) };
      show(screen, options, await client.post<InsightsReply>('/api/ai/generate-insights', body), insightsText);
    });
