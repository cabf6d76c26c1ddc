import { actorOf } from '#application/access/actor.ts';
import { countAttempt } from '#application/access/attempts.ts';
import { auditAs, audited, auditedAs } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { activeUser, readInstance } from '#application/access/login.ts';
import { userMailed, userNamed } from '#application/access/user-store.ts';
import { ACCESS_KINDS, type PasswordLinkRecord, type UserRecord } from '#domain/access/records.ts';
import { usernameKey } from '#domain/access/tenant.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { addressBlock } from '#domain/topology/address.ts';
import { findUser, publicUser, requireRank, storeNew, storeUser, type UserDraft } from './users.ts';

const CODE_CHARACTERS = 40;
const HOUR_MS = 3_600_000;
const INVITATION_MS = 7 * 24 * HOUR_MS;
const RESET_MS = HOUR_MS;
/** Reset links per account, and requests per address over all accounts, in an hour. */
const MAX_RESETS = 3;
const MAX_RESETS_OF_ADDRESS = 30;
const MAX_USES_OF_ADDRESS = 30;

const momentOf = (at: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at);

/** Links are mailed only if the address of the server is configured: that of a request is chosen by its sender. */
const sendsMail = ({ mailer }: Ports): boolean => mailer.isOn && mailer.publicUrl !== '';

interface IssuedLink {
  readonly path: string;
  readonly expiresAt: number;
}

const issueLink = async (
  { records, ids, clock, crypto }: Ports,
  tenant: string,
  { id: user, version, mail, invitedUntil }: UserRecord,
): Promise<IssuedLink> => {
  const code = ids.secret(CODE_CHARACTERS);
  const expiresAt = invitedUntil ?? clock.now() + RESET_MS;
  const link: PasswordLinkRecord = { tenant, user, version, mail: mail ?? '', invitedUntil: invitedUntil ?? null };
  const options = { expected: 0, expiresAt };
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.passwordLink, crypto.sha256(code), link, options);
  return { path: `/ui/password#link=${code}`, expiresAt };
};

const letterOf = (
  subject: string,
  reason: string,
  user: UserRecord,
  { url, expiresAt }: { url: string; expiresAt: number },
) => ({
  to: user.mail ?? '',
  subject: `[Faultline] ${subject}`,
  text: [
    `${reason} Your username is ${user.username}. Open this link to set your password:`,
    url,
    `The link works once, until ${momentOf(expiresAt)} UTC. If you don't expect this email, ignore it.`,
  ].join('\n\n'),
});

export interface SentInvitation {
  readonly user: UserRecord;
  /** Path of the link, where no mail was sent; null: sent. */
  readonly path: string | null;
}

const sendInvitation = async ({ ports, tenant, caller }: UseCaseContext, user: UserRecord): Promise<SentInvitation> => {
  const { path, expiresAt } = await issueLink(ports, tenant, user);
  if (!sendsMail(ports)) return { user, path };
  const reason = `${caller.name} invited you to Faultline, tenant ${tenant}.`;
  const letter = letterOf('Your invitation', reason, user, { url: ports.mailer.publicUrl + path, expiresAt });
  return ports.mailer.send(letter).then(
    () => ({ user, path: null }),
    () => ({ user, path }),
  );
};

/** A user who sets the password with a link: mailed, or returned where that is not possible. */
export const inviteUser = async (
  context: UseCaseContext,
  draft: Omit<UserDraft, 'password'> & { readonly mail: string },
): Promise<SentInvitation> => {
  requireRank(context, draft.role);
  const { ports } = context;
  const { dummyHash: passwordHash } = await readInstance(ports);
  const invitedUntil = ports.clock.now() + INVITATION_MS;
  const user = await storeNew(context, 'user.invited', { ...draft, passwordHash, invitedUntil });
  return sendInvitation(context, user);
};

/** Replaces the link of an invitation that was not accepted yet. */
export const inviteAgain = async (context: UseCaseContext, id: string): Promise<SentInvitation> => {
  const stored = await findUser(context, id);
  const { body: before } = stored;
  requireRank(context, before.role);
  if (before.invitedUntil === undefined) throw new Fault('conflict', `${before.name} has already set a password`);
  if (before.mail == null) throw new Fault('conflict', `${before.name} has no email address`);
  const now = context.ports.clock.now();
  // A higher version ends the link before.
  const after = { ...before, version: before.version + 1, invitedUntil: now + INVITATION_MS, updatedAt: now };
  const target = { kind: 'user', id };
  await storeUser(
    context,
    stored,
    after,
    audited(context, { action: 'user.reinvited', target, before: null, after: publicUser(after) }),
  );
  return sendInvitation(context, after);
};

export interface ResetRequest {
  /** Username or email address. */
  readonly account: string;
  /** Null: the first tenant. */
  readonly tenant: string | null;
}

/** Users of single sign-on and invited ones have no password to be reset. */
const resettable = async (ports: Ports, tenant: string, account: string): Promise<UserRecord | null> => {
  const { records } = ports;
  const find = async () => (await userNamed(records, tenant, account)) ?? userMailed(records, tenant, account);
  const user = await activeUser(ports, tenant, find);
  const { dummyHash } = await readInstance(ports);
  return user?.mail == null || user.passwordHash === dummyHash ? null : user;
};

const mailReset = async ({ ports, address, department }: UseCaseContext, tenant: string, account: string) => {
  const user = await resettable(ports, tenant, account);
  if (user === null) return;
  const { path, expiresAt } = await issueLink(ports, tenant, user);
  const reason = `Someone asked to reset your password of Faultline, tenant ${tenant}.`;
  const letter = letterOf('Reset your password', reason, user, { url: ports.mailer.publicUrl + path, expiresAt });
  const sent = await ports.mailer.send(letter).then(
    () => true,
    () => false,
  );
  const target = { kind: 'user', id: user.id };
  const entry = { action: 'user.password.reset-requested', target, before: null, after: { sent } };
  await auditAs(ports, tenant, { actor: actorOf(user), address, department }, entry);
};

/** Mails a link to the user, if there is one with an address. Time and answer do not depend on that. */
export const requestReset = async (context: UseCaseContext, request: ResetRequest): Promise<void> => {
  const { ports, address } = context;
  if (!sendsMail(ports))
    throw new Fault('unprocessable', "This server can't reset passwords by email. Ask an administrator for a new one");
  const tenant = request.tenant ?? (await readInstance(ports)).tenant;
  const tooMany = 'Too many requests to reset a password. Try again later';
  const windowMs = HOUR_MS;
  await countAttempt(
    ports,
    { key: `reset-address:${addressBlock(address)}`, limit: MAX_RESETS_OF_ADDRESS, windowMs },
    tooMany,
  );
  await countAttempt(
    ports,
    { key: `reset:${tenant}:${usernameKey(request.account)}`, limit: MAX_RESETS, windowMs },
    tooMany,
  );
  // Not awaited: the time of the answer must not reveal whether the user exists.
  mailReset(context, tenant, request.account).catch(() => undefined);
};

const unusable = () => new Fault('unprocessable', 'The link has expired or was already used. Request a new one');

const linkedUser = async (ports: Ports, { tenant, user: id, version, mail, invitedUntil }: PasswordLinkRecord) => {
  const stored = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id);
  const user = await activeUser(ports, tenant, async () => stored?.body ?? null);
  const isCurrent =
    user !== null && user.version === version && user.mail === mail && (user.invitedUntil ?? null) === invitedUntil;
  return isCurrent ? stored : null;
};

/** Sets the password of the user of a link, once, and ends every login. Throws Fault `unprocessable` for an old link. */
export const setPasswordByLink = async (
  { ports, address, department }: UseCaseContext,
  { code, password }: { readonly code: string; readonly password: string },
): Promise<{ readonly username: string; readonly tenant: string }> => {
  const key = `password-link:${addressBlock(address)}`;
  const tooMany = 'Too many attempts. Try again later';
  await countAttempt(ports, { key, limit: MAX_USES_OF_ADDRESS, windowMs: HOUR_MS }, tooMany);
  const id = ports.crypto.sha256(code);
  const kept = await ports.records.get<PasswordLinkRecord>(SYSTEM_TENANT, ACCESS_KINDS.passwordLink, id);
  const stored = kept === null ? null : await linkedUser(ports, kept.body);
  // Only one of two concurrent requests removes it.
  const isFirst = kept !== null && (await ports.records.remove(SYSTEM_TENANT, ACCESS_KINDS.passwordLink, id));
  if (kept === null || stored === null || !isFirst) throw unusable();
  const { tenant } = kept.body;
  const { invitedUntil, ...before } = stored.body;
  const passwordHash = await ports.crypto.hashPassword(password);
  const after = { ...before, passwordHash, version: before.version + 1, updatedAt: ports.clock.now() };
  const action = invitedUntil === undefined ? 'user.password.reset' : 'user.invitation.accepted';
  const entry = { action, target: { kind: 'user', id: after.id }, before: null, after: null };
  const asker = { actor: actorOf(after), address, department };
  await storeUser({ ports, tenant }, stored, after, auditedAs(ports, tenant, asker, entry));
  return { username: after.username, tenant };
};
