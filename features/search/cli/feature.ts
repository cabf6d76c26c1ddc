import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, tableOf } from '#cli/terminal/screen.ts';
import type { SearchBody } from '#features/search/schemas/search.ts';

interface SearchCommandOptions extends ConnectionOptions {
  readonly kinds?: string;
  readonly limit: string;
}
type SearchReply = DataReply<typeof SearchBody>;

const asked = ({ terms, concepts }: SearchReply['data']['interpretation']): string =>
  [`words: ${terms.join(', ') || 'none'}`, ...(concepts.length > 0 ? [`concepts: ${concepts.join(', ')}`] : [])].join(
    '; ',
  );

const resultText = ({ data: { results, interpretation } }: SearchReply): string => {
  if (results.length === 0) return `No results (${asked(interpretation)}).`;
  const table = tableOf(
    [{ title: 'score', right: true }, 'kind', { title: 'title', width: 40 }, { title: 'matched on', width: 24 }, 'id'],
    // A complaint has no page of its own; its newest event has.
    results.map(({ kind, id, title, score, matched, events }) => [
      score.toFixed(2),
      kind,
      clip(title, 120),
      matched.join(', '),
      events?.[0] ?? id,
    ]),
  );
  return `${table}\n${asked(interpretation)}`;
};

const addSearch = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('search'))
    .argument('<words...>', 'search terms, for example "disk full"')
    .description('semantic search over problems, groups, CIs, services and insights')
    .option('--kinds <list>', 'kinds to search: complaint, incident, ci, service, insight, report')
    .option('--limit <n>', 'maximum number of results (up to 50)', '10')
    .action(async (words: readonly string[], options: SearchCommandOptions) => {
      if (words.join('').trim() === '')
        throw new CliError('missing search terms, for example: faultline search "disk full"');
      const query = queryOf({ q: words.join(' '), kinds: options.kinds, limit: options.limit });
      show(screen, options, await clientOf(options).get<SearchReply>(`/api/ai/search-semantic?${query}`), resultText);
    });

export const search: CliFeature = { id: 'search', commands: [{ place: 67, add: addSearch }] };
