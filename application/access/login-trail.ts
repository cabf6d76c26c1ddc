import { ACCESS_KINDS, type SessionRecord, type UserRecord } from '#domain/access/records.ts';
import type { Actor } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { type AuditEntry, auditedAs } from './audit.ts';
import type { UseCaseContext } from './context.ts';
import { noteFailure } from './failed-logins.ts';
import type { LoginInput } from './login.ts';
import type { Issued } from './sessions.ts';

/** An entry of somebody who has no credential yet, or none any more. */
const note = async ({ ports, address, department }: UseCaseContext, tenant: string, actor: Actor, action: string) => {
  const entry: AuditEntry = { action, target: { kind: 'user', id: actor.id }, before: null, after: null };
  const { kind, id, body, expiresAt } = auditedAs(ports, tenant, { actor, address, department }, entry);
  await ports.records.put(tenant, kind, id, body, expiresAt === undefined ? {} : { expiresAt });
};

const userOf = async ({ ports }: UseCaseContext, tenant: string, id: string): Promise<Actor> => {
  const stored = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id);
  return stored === null ? { id, username: id, name: id } : actorFrom(stored.body);
};
const actorFrom = ({ id, username, name }: UserRecord): Actor => ({ id, username, name });

/** The entry of a login that needed no password. */
export const noteLogin = async (context: UseCaseContext, { tenant, user }: Issued): Promise<void> =>
  note(context, tenant, actorFrom(user), 'login');

/** A login with its entry in the audit trail: `login` at once, `login.failed` after the answer. */
export const loginAudited = async (
  context: UseCaseContext,
  input: LoginInput,
  logIn: () => Promise<Issued>,
): Promise<Issued> => {
  try {
    const issued = await logIn();
    await note(context, issued.tenant, actorFrom(issued.user), 'login');
    return issued;
  } catch (error) {
    if (!(error instanceof Fault) || (error.kind !== 'unauthenticated' && error.kind !== 'rate-limited')) throw error;
    // The caller does not wait for it: the time of the answer must not tell whether the user exists.
    noteFailure(context, input, error.kind === 'rate-limited');
    if (error.kind === 'rate-limited') throw error;
    throw new Fault('unauthenticated', error.message, [], { refused: { reason: 'password' } });
  }
};

export const noteLogout = async (context: UseCaseContext, { tenant, user }: SessionRecord): Promise<void> =>
  note(context, tenant, await userOf(context, tenant, user), 'logout');

/** A refresh; the second use of a refresh token is noted as `session.reused`, as a thief may have the first one. */
export const reuseAudited = async <T>(context: UseCaseContext, refresh: () => Promise<T>): Promise<T> => {
  try {
    return await refresh();
  } catch (error) {
    const refused = error instanceof Fault ? error.refused : undefined;
    if (refused?.reason === 'reused' && refused.tenant !== undefined)
      await note(
        context,
        refused.tenant,
        await userOf(context, refused.tenant, refused.credentialId ?? ''),
        'session.reused',
      );
    throw error;
  }
};
