import { type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import { ciIdOf } from '#cli/commands/ci/find-ci.ts';
import { citationLines, marked } from '#cli/commands/cited-texts.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { GeneratedInsightsBody } from '#features/detectors/schemas/detected.ts';

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
    ...(more > 0 ? [`… and ${more} more; filter with --kind`] : []),
    ...(parts.length > 0 ? [`Partial results: ${parts.join(', ')}.`] : []),
    ...(failed.length > 0 ? [`Timed out: ${failed.join(', ')}.`] : []),
    ...citationLines(citations),
  ].join('\n');
};

/** Findings of detectors. */
const addInsights = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('insights'))
    .description('find noise, topology gaps, trends and recurring problems')
    .option('--range <range>', '24h, last_30_days, yesterday, since monday; default: last 7 days')
    .option('--ci <ci>', 'CI ID or name')
    .addOption(new Option('--service <id>', 'business service ID').conflicts('ci'))
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

export const detectors: CliFeature = { id: 'detectors', commands: [{ place: 65, add: addInsights }] };
