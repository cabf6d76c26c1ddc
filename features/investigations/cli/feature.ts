import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { percent } from '#domain/numbers.ts';
import type { InvestigationBody } from '#features/investigations/schemas/investigation.ts';

interface InvestigationReply {
  readonly investigation: ReplyOf<typeof InvestigationBody>;
}
type Investigated = InvestigationReply['investigation']['hypotheses'][number];

const movedText = (moved: number): string => {
  const points = Math.round(moved * 100);
  if (points === 0) return '';
  return points > 0 ? ` (+${points}%)` : ` (−${-points}%)`;
};

const hypothesisLines = ({
  id,
  text,
  confidence,
  rejected,
  mustFail,
  mustBeSilent,
  checks,
}: Investigated): string[] => [
  '',
  `${id} ${text} (${percent(confidence)} confidence)${rejected ? ', rejected' : ''}`,
  `  expected to fail: ${mustFail.total} CIs, ${mustFail.failed} with events in the group; expected to be healthy: ${mustBeSilent.total} CIs`,
  ...checks.map(({ check, text: result, moved }) => `  ${check.padEnd(8)} ${result}${movedText(moved)}`),
];

const investigationText = ({ investigation }: InvestigationReply): string => {
  const { groupId, conclusion, hypotheses, events, complete } = investigation;
  return [
    groupId,
    conclusion.text,
    ...conclusion.against.map((one) => `- ${one}`),
    ...(conclusion.rival === null
      ? []
      : [`Alternative: ${conclusion.rival.text} (${percent(conclusion.rival.confidence)})`]),
    ...conclusion.next.map((one) => `→ ${one}`),
    ...(conclusion.settles === null ? [] : [`Deciding observation: ${conclusion.settles}`]),
    ...(conclusion.knowableAt === null ? [] : [`Earliest detection: ${conclusion.knowableAt}`]),
    ...(events.read < events.total ? [`Events: ${events.read} of ${events.total} checked`] : []),
    ...(complete ? [] : ['Incomplete: the time limit was reached']),
    ...hypotheses.flatMap(hypothesisLines),
  ].join('\n');
};

const addInvestigate = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('investigate'))
    .description('investigate a group: hypotheses, checks, root cause, next steps')
    .argument('<group>', 'group ID')
    .action(async (group: string, options: ConnectionOptions) => {
      const path = `/api/events/groups/${encodeURIComponent(group)}/investigate`;
      show(screen, options, await clientOf(options).post<InvestigationReply>(path, undefined), investigationText);
    });

export const investigations: CliFeature = { id: 'investigations', commands: [{ place: 64, add: addInvestigate }] };
