import { actorOf } from '#application/access/actor.ts';
import { type Asker, auditAs, auditedAs } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { readInstance } from '#application/access/login.ts';
import { type Issued, openSession } from '#application/access/sessions.ts';
import { everyTeam, findTeam, putTeam } from '#application/access/team-store.ts';
import { addUser, userNamed } from '#application/access/user-store.ts';
import { readOverrides } from '#application/tenants/settings.ts';
import { publicUser } from '#application/tenants/users.ts';
import { ACCESS_KINDS, type ConsoleSession, type TenantRecord, type UserRecord } from '#domain/access/records.ts';
import { teamNameKey } from '#domain/access/team.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import {
  assignmentFor,
  type Claims,
  NO_RULES,
  type RoleAssignment,
  type SignInSettings,
} from '#features/sign-in/rules/assignment.ts';
import { type ProvenIdentity, SIGN_IN_KINDS, SIGN_IN_SETTINGS } from '#features/sign-in/rules/issuer.ts';

/** A person's user, and what the next check needs. */
export interface PersonRecord {
  readonly tenant: string;
  readonly user: string;
  readonly subject: string;
  readonly sealedToken: string | null;
  /** The issuer last confirmed the person then, epoch ms. Null: no session to check. */
  readonly confirmedAt: number | null;
  /** Teams that rules gave. */
  readonly teams: readonly string[];
}

/** The refusal is for the person, the message for the audit log. */
export type SignInRefusal = 'unassigned' | 'disabled' | 'taken' | 'failed';
export class SignInRefused extends Error {
  readonly refusal: SignInRefusal;

  constructor(refusal: SignInRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const BY_RULES: Asker = {
  actor: { id: 'sign-in', username: 'sign-in', name: 'Single sign-on' },
  address: '',
  department: null,
};

const settingsOf = async (ports: Ports): Promise<SignInSettings> => {
  const { tenant } = await readInstance(ports);
  return { ...NO_RULES, ...(await readOverrides({ tenant, ports }, SIGN_IN_SETTINGS)) };
};

const personId = ({ crypto, issuer }: Ports, { method, subject }: ProvenIdentity): string =>
  crypto.sha256(JSON.stringify([method === 'proxy' ? 'proxy' : issuer?.url, subject]));

const textClaim = (claims: Claims, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = claims[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 255);
  }
  return undefined;
};

const put = async (ports: Ports, tenant: string, before: UserRecord, after: UserRecord, revision: number) => {
  const target = { kind: 'user', id: after.id };
  const seen = { before: publicUser(before), after: publicUser(after) };
  const entry = auditedAs(ports, tenant, BY_RULES, { action: 'user.updated', target, ...seen });
  await ports.records.put(tenant, ACCESS_KINDS.user, after.id, after, { expected: revision, sideRecords: [entry] });
  ports.memory.callers.clear();
  ports.memory.directories.forget(tenant);
};

/** Ends every login of the user: what was issued before is of an earlier version. */
export async function endLogins(
  ports: Ports,
  { tenant, user: id }: Pick<PersonRecord, 'tenant' | 'user'>,
): Promise<void> {
  const stored = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id);
  if (stored === null) return;
  const after = { ...stored.body, version: stored.body.version + 1, updatedAt: ports.clock.now() };
  await put(ports, tenant, stored.body, after, stored.revision);
}

/** A local user of the same name may be another person. */
async function createdUser(
  ports: Ports,
  tenant: string,
  { role }: RoleAssignment,
  { subject, claims }: ProvenIdentity,
) {
  const username = textClaim(claims, 'preferred_username', 'email') ?? subject;
  if ((await userNamed(ports.records, tenant, username)) !== null)
    throw new SignInRefused('taken', `Username ${username} belongs to another user of tenant ${tenant}`);
  const { dummyHash: passwordHash } = await readInstance(ports);
  const at = ports.clock.now();
  const name = textClaim(claims, 'name') ?? username;
  const state = { disabled: false, passwordHash, version: 1, createdAt: at, updatedAt: at };
  const user: UserRecord = { id: ports.ids.ulid(), username, name, role, ...state };
  const target = { kind: 'user', id: user.id };
  const entry = auditedAs(ports, tenant, BY_RULES, {
    action: 'user.created',
    target,
    before: null,
    after: publicUser(user),
  });
  await addUser(ports, tenant, user, [entry]);
  return user;
}

/** The user with the role of the rules, created at the first sign-in. */
async function userFor(
  ports: Ports,
  tenant: string,
  person: PersonRecord | null,
  assigned: RoleAssignment,
  identity: ProvenIdentity,
) {
  const isHere = person !== null && person.tenant === tenant;
  if (person !== null && !isHere) await endLogins(ports, person);
  const stored = isHere ? await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, person.user) : null;
  if (stored === null) return createdUser(ports, tenant, assigned, identity);
  const before = stored.body;
  if (before.disabled) throw new SignInRefused('disabled', `User ${before.username} is disabled`);
  if (before.role === assigned.role) return before;
  const after = { ...before, role: assigned.role, updatedAt: ports.clock.now() };
  await put(ports, tenant, before, after, stored.revision);
  return after;
}

/** Only members by rules are removed. */
async function joinTeams(ports: Ports, tenant: string, user: string, names: readonly string[], had: readonly string[]) {
  const wanted = new Set(names.map(teamNameKey));
  const joined: string[] = [];
  for (const { id, name } of await everyTeam(ports.records, tenant)) {
    const isWanted = wanted.has(teamNameKey(name));
    if (isWanted) joined.push(id);
    if (!isWanted && !had.includes(id)) continue;
    const { body: before, revision: expected } = await findTeam(ports.records, tenant, id);
    if (before.members.includes(user) === isWanted) continue;
    const others = before.members.filter((member) => member !== user);
    const after = { ...before, members: isWanted ? [...others, user] : others, updatedAt: ports.clock.now() };
    const entry = auditedAs(ports, tenant, BY_RULES, {
      action: 'team.updated',
      target: { kind: 'team', id },
      before: { members: before.members },
      after: { members: after.members },
    });
    await putTeam(ports, tenant, { before, after, expected, sideRecords: [entry] });
  }
  return joined;
}

/** Applies the rules to a person's user. Throws SignInRefused. */
export async function assign(
  ports: Ports,
  identity: ProvenIdentity,
): Promise<{ user: UserRecord; tenant: string; rule: string }> {
  const assigned = assignmentFor(await settingsOf(ports), identity.claims);
  if (assigned === null)
    throw new SignInRefused('unassigned', `No rule matches the claims of subject ${identity.subject}`);
  const tenant = assigned.tenant ?? (await readInstance(ports)).tenant;
  const home = await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant);
  if (home === null || home.body.disabled)
    throw new SignInRefused('unassigned', `Tenant ${tenant} is missing or disabled`);
  const id = personId(ports, identity);
  const known = (await ports.records.get<PersonRecord>(SYSTEM_TENANT, SIGN_IN_KINDS.person, id))?.body ?? null;
  const user = await userFor(ports, tenant, known, assigned, identity);
  const teams = await joinTeams(ports, tenant, user.id, assigned.teams, known?.tenant === tenant ? known.teams : []);
  const { subject, sealedToken } = identity;
  // A proxy checks each request itself.
  const confirmedAt = identity.method === 'proxy' ? null : ports.clock.now();
  const person: PersonRecord = { tenant, user: user.id, subject, sealedToken, confirmedAt, teams };
  await ports.records.put(SYSTEM_TENANT, SIGN_IN_KINDS.person, id, person);
  return { user, tenant, rule: assigned.rule };
}

/** A session for a proven person, with its entry in the audit log; without `console`, of a program. */
export async function signInAs(
  context: UseCaseContext,
  identity: ProvenIdentity,
  console?: ConsoleSession,
): Promise<Issued> {
  const { ports, address, department } = context;
  const { user, tenant, rule } = await assign(ports, identity);
  const issued = await openSession(ports, tenant, user, console);
  await auditAs(
    ports,
    tenant,
    { actor: actorOf(user), address, department },
    {
      action: 'login',
      target: { kind: 'user', id: user.id },
      before: null,
      after: { method: identity.method, ...(identity.method === 'oidc' && { issuer: ports.issuer?.url }), rule },
    },
  );
  return issued;
}

/** Notes a refused attempt in the first tenant: who it was is not known. */
export async function noteRefusal(
  { ports, address, department }: UseCaseContext,
  refusal: SignInRefusal,
  reason: string,
  method: ProvenIdentity['method'],
) {
  const { tenant } = await readInstance(ports);
  const actor = { id: 'unknown', username: 'unknown', name: 'unknown' };
  await auditAs(
    ports,
    tenant,
    { actor, address, department },
    {
      action: 'login.failed',
      target: { kind: 'user', id: 'unknown' },
      before: null,
      after: { method, refusal, reason: reason.slice(0, 500) },
    },
  );
}

/** Lets an attempt be used once, in all processes. Throws SignInRefused the second time. */
export async function useOnce({ records, crypto, clock }: Ports, state: string, lifeMs: number): Promise<void> {
  try {
    const options = { expected: 0, expiresAt: clock.now() + lifeMs };
    await records.put(SYSTEM_TENANT, SIGN_IN_KINDS.used, crypto.sha256(state), {}, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    throw new SignInRefused('failed', 'The attempt was used before');
  }
}
