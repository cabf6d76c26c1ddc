import { type Command, Option } from 'commander';
import { CAUSE_VERDICTS, MEMBER_VERDICTS } from '#domain/correlation/grouping/group-state.ts';
import type { Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { GroupDetailReply, MembersReply } from '#infra/cli/client/replies.ts';
import { groupPath, ofGroup } from '#infra/cli/commands/find-group.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { counted } from '#infra/cli/terminal/screen.ts';
import { type GroupWithMembers, groupText, verdictOf } from './group-texts.ts';
import { addGroupList } from './list.ts';
import { addMerge } from './merge.ts';
import { addOperations } from './operate.ts';
import { addSplit } from './split.ts';

interface ShowOptions extends ConnectionOptions {
  readonly limit: string;
}
interface NoteOptions extends ConnectionOptions {
  readonly note: string;
}
interface VerdictOptions extends ConnectionOptions {
  readonly cause: string;
  readonly root?: string;
  readonly members: string;
  readonly note?: string;
}
interface DetailReply {
  readonly group: GroupDetailReply;
}

/** A command about one group. */
const about = (group: Command, verb: string, description: string): Command =>
  connected(group.command(verb).argument('<id>', 'of the group, or one that it had before')).description(description);

const shownGroup = async (client: Client, id: string, limit: string): Promise<GroupWithMembers> => {
  const path = groupPath(id);
  const [{ group }, { members, pagination }] = await Promise.all([
    ofGroup(id, client.get<DetailReply>(path)),
    ofGroup(id, client.get<MembersReply>(`${path}/members?${queryOf({ limit })}`)),
  ]);
  return { group, members, total: pagination.total, truncated: members.length < pagination.total };
};

const addShow = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'show', 'show a group: its state, who has it, its root-cause candidate, notes and events')
    .option('--limit <n>', 'events shown, 500 at most', '50')
    .action(async (id: string, options: ShowOptions) =>
      show(screen, options, await shownGroup(clientOf(options), id, options.limit), groupText),
    );

const addNote = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'note', 'note something on a group')
    .requiredOption('--note <text>', 'what')
    .action(async (id: string, { note, ...options }: NoteOptions) => {
      const asked = clientOf(options).post<DetailReply>(`${groupPath(id)}/notes`, { text: note });
      show(screen, options, await ofGroup(id, asked), ({ group: { correlationId, notes } }) => {
        return `noted on ${correlationId}, which has ${counted(notes.length, 'note')}; see: faultline group show ${correlationId}`;
      });
    });

const addVerdict = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'verdict', 'say whether the cause and the members of a group were right; the last word counts')
    .addOption(new Option('--cause <verdict>', 'of the cause').choices(CAUSE_VERDICTS).makeOptionMandatory())
    .addOption(new Option('--members <verdict>', 'of the members').choices(MEMBER_VERDICTS).makeOptionMandatory())
    .option('--root <event>', 'the member that was the cause')
    .option('--note <text>', 'why')
    .action(async (id: string, { cause, members, root, note, ...options }: VerdictOptions) => {
      const body = { cause, members, rootEventId: root, note };
      const asked = ofGroup(id, clientOf(options).put<DetailReply>(`${groupPath(id)}/verdict`, body));
      show(screen, options, await asked, (reply) => `${reply.group.correlationId}: ${verdictOf(reply.group)}`);
    });

export const addGroup = (program: Command, environment: CliEnvironment): Command => {
  const group = program.command('group').description('look at groups and work with them');
  addGroupList(group, environment, 'list');
  addShow(group, environment);
  addOperations(group, environment);
  addNote(group, environment);
  addVerdict(group, environment);
  addMerge(group, environment);
  addSplit(group, environment);
  return group;
};
