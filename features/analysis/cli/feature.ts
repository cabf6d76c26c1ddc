import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import { ciIdOf } from '#cli/commands/ci/find-ci.ts';
import { citationLines, marked } from '#cli/commands/cited-texts.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { percent } from '#domain/numbers.ts';
import type { AnalyzedSubjectBody } from '#features/analysis/schemas/analyze.ts';

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
    `${marked(hypothesis.text, hypothesis.refs)} (${percent(hypothesis.confidence)} confidence)`,
    `  ${hypothesis.reasoning}`,
    ...timeline.map(({ text, refs }) => `| ${marked(text, refs)}`),
    ...impact.text.split('\n').map((line) => `Impact: ${line}`),
    ...recommendations.map(({ action, why, refs }) => `→ ${marked(action, refs)}\n  ${why}`),
    ...citationLines(citations),
  ].join('\n');
};

/** The ID shows the type of the subject. */
const subjectOf = async (client: Client, what: string, isService: boolean): Promise<object> => {
  if (isService) return { serviceId: what };
  if (/^EVT-/i.test(what)) return { eventId: what };
  return /^COR-/i.test(what) ? { correlationId: what } : { ciId: await ciIdOf(client, what) };
};

/** Probable cause, impact, and advice. */
const addAnalyze = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('analyze'))
    .description('analyze an event, group, CI or service: problem, root cause, next steps')
    .argument('<subject>', 'event, group, CI (ID or name), or service ID with --service')
    .option('--service', 'treat the ID as a business service ID')
    .option('--ask <question>', 'question to focus the summary')
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

export const analysis: CliFeature = { id: 'analysis', commands: [{ place: 63, add: addAnalyze }] };
