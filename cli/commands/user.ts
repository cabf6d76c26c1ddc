import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { moment } from '#cli/terminal/screen.ts';
import type { UserInvitation } from '#schemas/http/admin/admin.ts';

type InvitationReply = DataReply<typeof UserInvitation>;
interface InviteOptions extends ConnectionOptions {
  readonly role: string;
  readonly username?: string;
  readonly name?: string;
}

const invitationText = ({ data: { user, sent, link } }: InvitationReply, url: string): string => {
  const until = user.invited_until === null ? '' : `, valid until ${moment(user.invited_until)}`;
  const head = `Invited ${user.username} (${user.id}) with the role ${user.role}${until}.`;
  if (sent) return `${head} Sent the link to ${user.mail}.`;
  // The server knows only the path, unless FAULTLINE_PUBLIC_URL is set.
  const whole = link?.startsWith('/') ? url + link : (link ?? '');
  return [`${head} The server sent no email. Pass on this link, shown once:`, '', `  ${whole}`].join('\n');
};

/** Links that set a password: `faultline users` lists the users themselves. */
export const addUser = (program: Command, { screen }: CliEnvironment): Command => {
  const user = program.command('user').description('invite users');
  connected(user.command('invite').argument('<email>'))
    .description('invite a user by email; without a mail server, prints a link')
    .option('--role <role>', 'role: viewer, operator, editor, admin, ingest or platform-admin', 'operator')
    .option('--username <name>', 'username (default: the email address)')
    .option('--name <name>', 'display name')
    .action(async (mail: string, options: InviteOptions) => {
      const { role, username, name } = options;
      const draft = { mail, role, ...(username && { username }), ...(name && { name }) };
      const client = clientOf(options);
      const reply = await client.post<InvitationReply>('/api/admin/users/invite', draft);
      show(screen, options, reply, (one) => invitationText(one, client.url));
    });
  connected(user.command('resend').argument('<id>'))
    .description('resend an invitation; the previous link stops working')
    .action(async (id: string, options: ConnectionOptions) => {
      const path = `/api/admin/users/${encodeURIComponent(id)}/invite`;
      const client = clientOf(options);
      const reply = await client.post<InvitationReply>(path, undefined);
      show(screen, options, reply, (one) => invitationText(one, client.url));
    });
  return user;
};
