import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { countAttempt } from '#application/access/attempts.ts';
import { auditedAs } from '#application/access/audit.ts';
import { type Issued, openSession } from '#application/access/sessions.ts';
import { publicUser, storeUser } from '#application/tenants/users.ts';
import { ACCESS_KINDS, type ConsoleSession, type UserRecord } from '#domain/access/records.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { Login, OwnMail, OwnMailView, PasswordChange } from '#schemas/http/admin/auth.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { presentIssued } from './present-issued.ts';

/** Wrong current passwords per user, so that a stolen JWT cannot be used to guess. */
const MAX_FAILURES = 5;
const FAILURE_WINDOW_MS = 15 * 60_000;

interface OwnPasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

const ownUser = async ({ ports, caller }: Context) => {
  const stored =
    caller.kind === 'jwt' ? await ports.records.get<UserRecord>(caller.tenant, ACCESS_KINDS.user, caller.id) : null;
  if (stored === null) throw new Fault('forbidden', 'Only users signed in with a password can change it');
  return stored;
};

/** The user of the request, who has proven to know the password named by the field. Failures are counted before the check. */
const provenUser = async (context: Context, password: string, field: string) => {
  const { ports, caller } = context;
  const stored = await ownUser(context);
  const bucket = {
    key: `password:${caller.tenant}:${caller.id}`,
    limit: MAX_FAILURES,
    windowMs: FAILURE_WINDOW_MS,
  } as const;
  const limited = { class: 'standard', reason: 'logins' } as const;
  await countAttempt(ports, bucket, 'Too many failed attempts. Try again later', { limited });
  if (!(await ports.crypto.verifyPassword(password, stored.body.passwordHash)))
    throw invalid(field, 'does not match the current password');
  await ports.limiter.take(bucket.key, bucket.limit, bucket.windowMs, -1);
  return stored;
};

/** Every login of the user ends, and the reply has the tokens of a new one. */
export const changePassword = async (
  context: Context,
  { currentPassword, newPassword }: OwnPasswordChange,
  console?: ConsoleSession,
): Promise<Issued> => {
  const { ports, caller, address, department } = context;
  const stored = await provenUser(context, currentPassword, 'currentPassword');
  const { body: before } = stored;
  if (newPassword === currentPassword) throw invalid('newPassword', 'must differ from the current password');
  const passwordHash = await ports.crypto.hashPassword(newPassword);
  const after = { ...before, passwordHash, version: before.version + 1, updatedAt: ports.clock.now() };
  const entry = auditedAs(
    ports,
    caller.tenant,
    { actor: actorOf(caller), address, department },
    { action: 'user.password.changed', target: { kind: 'user', id: before.id }, before: null, after: null },
  );
  await storeUser({ ports, tenant: caller.tenant }, stored, after, entry);
  return openSession(ports, caller.tenant, after, console);
};

interface OwnMailChange {
  readonly mail: string | null;
  readonly current: string;
}

/** Needs the password, because the owner of the address can set another password. */
export const changeOwnMail = endpoint<OwnMailChange, string | null>({
  id: 'me.mail.put',
  summary: 'Change your email address',
  description: 'Requires the current password. The address receives links that reset the password.',
  tag: 'Authentication',
  permission: null,
  anyCredential: true,
  mounts: on.platform.put('/me/mail', {
    body: OwnMail,
    reply: wrapped(OwnMailView),
    read: ({ body }) => body,
    present: (mail) => ({ body: { mail } }),
  }),
  async handle({ mail, current }, context) {
    const { ports, caller, address, department } = context;
    const stored = await provenUser(context, current, 'current');
    const after = { ...stored.body, mail, updatedAt: ports.clock.now() };
    const entry = auditedAs(
      ports,
      caller.tenant,
      { actor: actorOf(caller), address, department },
      {
        action: 'user.updated',
        target: { kind: 'user', id: after.id },
        before: publicUser(stored.body),
        after: publicUser(after),
      },
    );
    await storeUser({ ports, tenant: caller.tenant }, stored, after, entry);
    return mail;
  },
});

export const changeOwnPassword = endpoint<OwnPasswordChange, Issued>({
  id: 'auth.password.put',
  summary: 'Change your password',
  description: 'Requires the current password. Ends all other sessions and returns new tokens.',
  tag: 'Authentication',
  permission: null,
  anyCredential: true,
  mounts: on.platform.put('/auth/password', {
    body: PasswordChange,
    reply: wrapped(Login),
    read: ({ body }) => body,
    present: presentIssued,
  }),
  handle: (change, context) => changePassword(context, change),
});
