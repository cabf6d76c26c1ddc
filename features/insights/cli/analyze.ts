import type { Command } from 'commander';
import { percent } from '#domain/numbers.ts';
import type { AnalyzedSubjectBody } from '#features/analysis/schemas/analyze.ts';
import type { Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { DataReply } from '#infra/cli/client/replies.ts';
import { ciIdOf } from '#infra/cli/commands/ci/find-ci.ts';
import { citationLines, marked } from '#infra/cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

interface AnalyzeOptions extends ConnectionOptions {
  readonly service?: boolean;
  readonly ask?: string;
}

const analyzedText = ({ data }: DataReply<typeof AnalyzedSubjectBody>): string => {
  const { subject, summary, hypothesis, timeline, impact, recommendations, claims, citations } = data;
  const said = claims.length === 0 ? [summary] : claims.map(({ text, refs }) => marked(text, refs));
  return [
    `${subject.kind} ${subject.name}`,
    ...said,
    `Cause, ${percent(hypothesis.confidence)} sure: ${marked(hypothesis.text, hypothesis.refs)}`,
    `  ${hypothesis.reasoning}`,
    ...timeline.map(({ text, refs }) => `| ${marked(text, refs)}`),
    ...impact.text.split('\n').map((line) => `Impact: ${line}`),
    ...recommendations.map(({ action, why, refs }) => `→ ${marked(action, refs)}\n  ${why}`),
    ...citationLines(citations),
  ].join('\n');
};

/** Which kind of thing it is shows by its id. */
const subjectOf = async (client: Client, what: string, isService: boolean): Promise<object> => {
  if (isService) return { serviceId: what };
  if (/^EVT-/i.test(what)) return { eventId: what };
  return /^COR-/i.test(what) ? { correlationId: what } : { ciId: await ciIdOf(client, what) };
};

/** Probable cause, impact, and advice. */
export const addAnalyze = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('analyze'))
    .description('explain what is wrong with an event, a group, a configuration item or a service, why, and what to do')
    .argument('<what>', 'EVT-…, COR-…, id or name of a configuration item, or with --service id of a service')
    .option('--service', 'it is the id of a business service')
    .option('--ask <question>', 'narrows the summary: "what should I do?"')
    .action(async (what: string, { service = false, ask, ...options }: AnalyzeOptions) => {
      const client = clientOf(options);
      const body = { ...(await subjectOf(client, what, service)), ...(ask !== undefined && { question: ask }) };
      show(
        screen,
        options,
        await client.post<DataReply<typeof AnalyzedSubjectBody>>('/api/ai/analyze', body),
        analyzedText,
      );
    });
