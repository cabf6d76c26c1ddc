import type { Command } from 'commander';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { GroupDetailReply, MembersReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { groupPath, ofGroup } from '#infra/cli/commands/find-group.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { count } from '#infra/cli/terminal/screen.ts';
import type { ManualCorrelateReply } from '#schemas/http/events/group-view.ts';

interface Options extends ConnectionOptions {
  readonly reason?: string;
}

/** Each is asked for twice; the default limit of requests lets a hundred through in a minute. */
const MAX_GROUPS = 20;
/** Members among which one is looked for whose place no other took. */
const LOOKED_AT = 50;

const memberOf = async (client: Client, id: string): Promise<string> => {
  const { members } = await ofGroup(id, client.get<MembersReply>(`${groupPath(id)}/members?limit=${LOOKED_AT}`));
  const member = members.find(({ supersededBy }) => supersededBy === undefined) ?? members[0];
  if (member === undefined) throw new CliError(`group ${id} has no event left that it could be merged by`);
  return member.eventId;
};

/** By the ids that they have now, one event of each. */
const eventsOf = async (client: Client, ids: readonly string[]): Promise<string[]> => {
  const members = new Map<string, string>();
  for (const id of ids) {
    const { group } = await ofGroup(id, client.get<{ readonly group: GroupDetailReply }>(groupPath(id)));
    if (!members.has(group.correlationId)) members.set(group.correlationId, await memberOf(client, id));
  }
  if (members.size < 2) throw new CliError(`they are one group already: ${[...members.keys()].join()}`);
  return [...members.values()];
};

const merge = async ({ screen }: CliEnvironment, ids: readonly string[], options: Options): Promise<void> => {
  if (new Set(ids).size < 2) throw new CliError('name two groups or more; list them with: faultline groups');
  if (ids.length > MAX_GROUPS) throw new CliError(`at most ${MAX_GROUPS} groups at once`);
  const client = clientOf(options);
  const [primaryEventId, ...relatedEventIds] = await eventsOf(client, ids);
  const body = { primaryEventId, relatedEventIds, reason: options.reason };
  const reply = await client.post<ReplyOf<typeof ManualCorrelateReply>>('/api/events/correlate', body);
  show(screen, options, reply, ({ correlationId, correlationGroup }) => {
    if (correlationGroup === null) return 'The groups will be one within moments; see: faultline groups';
    const merged = `${relatedEventIds.length + 1} groups are one: ${correlationId}`;
    return `${merged}, ${count(correlationGroup.analysis.eventCount)} events; see: faultline group show ${correlationId}`;
  });
};

export const addMerge = (group: Command, environment: CliEnvironment): Command =>
  connected(group.command('merge').argument('<ids...>', `which, ${MAX_GROUPS} at most`))
    .description('make one group of several that are one fault')
    .option('--reason <text>', 'why they belong together')
    .action((ids: string[], options: Options) => merge(environment, ids, options));
