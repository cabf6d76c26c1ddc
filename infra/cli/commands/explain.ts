import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { tableOf } from '#infra/cli/terminal/screen.ts';
import type { ExplainReply } from '#schemas/http/events/explain-view.ts';

type Explained = ReplyOf<typeof ExplainReply>;

const verdict = (reply: Explained): string => {
  const { events, together, correlationId, manual, refusedReason, notCompared, strategies } = reply;
  const [a, b] = events;
  if (together) return `${a} and ${b} are in one group, ${correlationId}${manual ? ', put together by hand' : ''}.`;
  if (refusedReason !== null) return `${a} and ${b} are apart: ${refusedReason}.`;
  if (notCompared !== null) return `${a} and ${b} are apart: ${notCompared.reason}.`;
  const directly = strategies.some(({ joined }) => joined);
  return `${a} and ${b} are apart${directly ? ', although a strategy would join them now' : ': no strategy is sure enough'}.`;
};

const usual = ({ usual: marks }: Explained): string[] => marks.map(({ reason }) => `${reason}.`);
const learning = ({ learningReason }: Explained): string[] => (learningReason === undefined ? [] : [learningReason]);

const explainTable = (reply: Explained): string => {
  const table = tableOf(
    [
      { title: 'strategy' },
      { title: 'literal', right: true },
      { title: '× chance', right: true },
      { title: 'score', right: true },
      { title: 'joins' },
      { title: 'reason', width: 60 },
    ],
    reply.strategies.map(({ strategy, literalScore, factor, score, threshold, joined, reason }) => [
      strategy,
      literalScore.toFixed(3),
      factor.toFixed(3),
      score.toFixed(3),
      joined ? `yes, > ${threshold}` : 'no',
      reason,
    ]),
  );
  const said = [`${verdict(reply)} Profile: ${reply.profile}.`, ...usual(reply), ...learning(reply)];
  return `${said.join('\n')}\n${table}`;
};

export const addExplain = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('explain'))
    .description('say why two events are, or are not, in one group')
    .argument('<a>', 'event id')
    .argument('<b>', 'event id')
    .action(async (a: string, b: string, options: ConnectionOptions) => {
      const path = `/api/events/${encodeURIComponent(a)}/explain?with=${encodeURIComponent(b)}`;
      show(screen, options, await clientOf(options).get<Explained>(path), explainTable);
    });
