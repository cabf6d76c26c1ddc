import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { GroupDetailReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { groupPath, ofGroup } from '#infra/cli/commands/find-group.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import type { SplitReply } from '#schemas/http/events/groups.ts';

interface Options extends ConnectionOptions {
  readonly reason: string;
}

export const addSplit = (group: Command, { screen }: CliEnvironment): Command =>
  connected(
    group
      .command('split')
      .argument('<id>', 'of the group, or one that it had before')
      .argument('<events...>', 'members that are another fault'),
  )
    .description(
      'take events out of a group; they are never joined with what stays again, but by: faultline group merge',
    )
    .requiredOption('--reason <text>', 'why they do not belong together')
    .action(async (id: string, eventIds: string[], { reason, ...options }: Options) => {
      const client = clientOf(options);
      // An unknown event is told as such.
      const { group: found } = await ofGroup(id, client.get<{ readonly group: GroupDetailReply }>(groupPath(id)));
      const reply = await client.post<ReplyOf<typeof SplitReply>>(`${groupPath(found.correlationId)}/split`, {
        eventIds,
        reason,
      });
      show(screen, options, reply, ({ correlationId }) =>
        correlationId === null
          ? `${eventIds.join(', ')} left ${found.correlationId} and is in no group`
          : `${eventIds.length} events left ${found.correlationId} and are ${correlationId}; see: faultline group show ${correlationId}`,
      );
    });
