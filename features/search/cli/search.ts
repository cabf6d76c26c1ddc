import type { Command } from 'commander';
import type { SearchBody } from '#features/search/schemas/search.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { DataReply } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, tableOf } from '#infra/cli/terminal/screen.ts';

interface Options extends ConnectionOptions {
  readonly kinds?: string;
  readonly limit: string;
}
type SearchReply = DataReply<typeof SearchBody>;

const asked = ({ terms, concepts }: SearchReply['data']['interpretation']): string =>
  [`words: ${terms.join(', ') || 'none'}`, ...(concepts.length > 0 ? [`concepts: ${concepts.join(', ')}`] : [])].join(
    '; ',
  );

const resultText = ({ data: { results, interpretation } }: SearchReply): string => {
  if (results.length === 0) return `Nothing is like that (${asked(interpretation)}).`;
  const table = tableOf(
    [
      { title: 'score', right: true },
      { title: 'kind' },
      { title: 'title', width: 40 },
      { title: 'found by', width: 24 },
      { title: 'id' },
    ],
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

export const addSearch = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('search'))
    .argument('<words...>', 'what to look for, such as "disk full"')
    .description('find complaints, incidents, CIs, services and insights by what they are about')
    .option('--kinds <list>', 'complaint, incident, ci, service, insight, report')
    .option('--limit <n>', 'how many, at most 50', '10')
    .action(async (words: readonly string[], options: Options) => {
      if (words.join('').trim() === '')
        throw new CliError('say what to look for, such as faultline search "disk full"');
      const query = queryOf({ q: words.join(' '), kinds: options.kinds, limit: options.limit });
      show(screen, options, await clientOf(options).get<SearchReply>(`/api/ai/search-semantic?${query}`), resultText);
    });
