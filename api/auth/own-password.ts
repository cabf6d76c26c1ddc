import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { auditedAs } from '#application/access/audit.ts';
import { type Issued, openSession } from '#application/access/sessions.ts';
import { ACCESS_KINDS, type ConsoleSession, type UserRecord } from '#domain/access/records.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { Login, PasswordChange } from '#schemas/http/admin/auth.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { presentIssued } from './present-issued.ts';

/** Wrong current passwords per user, so that a stolen JWT cannot be used to guess. */
const MAX_FAILURES = 5;
const FAILURE_WINDOW_MS = 15 * 60_000;

interface OwnPasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Counts the attempt before the check; returns the count after a success. */
const counted = async ({ ports, caller }: Context, cost: 1 | -1): Promise<void> => {
  const key = `password:${caller.tenant}:${caller.id}`;
  const state = await ports.limiter.take(key, MAX_FAILURES, FAILURE_WINDOW_MS, cost);
  if (state.allowed) return;
  const retryAfter = Math.max(1, Math.ceil((state.resetAt - ports.clock.now()) / 1_000));
  const limited = { class: 'standard', reason: 'logins' } as const;
  throw new Fault('rate-limited', 'Too many failed attempts. Try again later', [], { retryAfter, limited });
};

const ownUser = async ({ ports, caller }: Context) => {
  const stored =
    caller.kind === 'jwt' ? await ports.records.get<UserRecord>(caller.tenant, ACCESS_KINDS.user, caller.id) : null;
  if (stored === null) throw new Fault('forbidden', 'Only users signed in with a password can change it');
  return stored;
};

/** Every login of the user ends, and the reply has the tokens of a new one. */
export const changePassword = async (
  context: Context,
  { currentPassword, newPassword }: OwnPasswordChange,
  console?: ConsoleSession,
): Promise<Issued> => {
  const { ports, caller, address, department } = context;
  const { body: before, revision } = await ownUser(context);
  await counted(context, 1);
  if (!(await ports.crypto.verifyPassword(currentPassword, before.passwordHash)))
    throw invalid('currentPassword', 'does not match the current password');
  await counted(context, -1);
  if (newPassword === currentPassword) throw invalid('newPassword', 'must differ from the current password');
  const passwordHash = await ports.crypto.hashPassword(newPassword);
  const after = { ...before, passwordHash, version: before.version + 1, updatedAt: ports.clock.now() };
  const entry = auditedAs(
    ports,
    caller.tenant,
    { actor: actorOf(caller), address, department },
    { action: 'user.password.changed', target: { kind: 'user', id: before.id }, before: null, after: null },
  );
  const options = { expected: revision, sideRecords: [entry] };
  await ports.records.put(caller.tenant, ACCESS_KINDS.user, before.id, after, options);
  ports.memory.callers.clear();
  return openSession(ports, caller.tenant, after, console);
};

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
