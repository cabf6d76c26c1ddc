import { recordChunks } from '#application/records/list-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { SIGN_IN_KINDS } from '#features/sign-in/rules/issuer.ts';
import { assign, endLogins, type PersonRecord, SignInRefused } from './sign-in.ts';

const MINUTE_MS = 60_000;
/** Changes at the issuer reach sessions within 15 minutes, the minute between runs included. */
const CHECK_AFTER_MS = 10 * MINUTE_MS;
/** A session that cannot be checked ends then. */
const UNCHECKED_MS = 14 * MINUTE_MS;
/** Sessions outlive an issuer that is down for this time. */
const OUTAGE_MS = 8 * 60 * MINUTE_MS;

type Outcome = 'confirmed' | 'ended' | 'unknown';

async function outcomeOf(ports: Ports, { subject, sealedToken, confirmedAt }: PersonRecord): Promise<Outcome> {
  const age = ports.clock.now() - (confirmedAt ?? 0);
  if (sealedToken === null || ports.issuer === null) return age >= UNCHECKED_MS ? 'ended' : 'unknown';
  const identity = await ports.issuer.again(subject, sealedToken);
  if (identity === 'ended') return 'ended';
  if (identity === 'unreachable') return age >= OUTAGE_MS ? 'ended' : 'unknown';
  try {
    await assign(ports, identity);
    return 'confirmed';
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return 'ended';
  }
}

/** Asks the issuer again about every person with a session; a refusal of the issuer or the rules ends the session. */
export async function checkPeople(ports: Ports, isStopping: () => boolean): Promise<void> {
  for await (const chunk of recordChunks<PersonRecord>(ports.records, SYSTEM_TENANT, SIGN_IN_KINDS.person))
    for (const { id, body: person } of chunk) {
      if (isStopping()) return;
      if (person.confirmedAt === null || ports.clock.now() - person.confirmedAt < CHECK_AFTER_MS) continue;
      if ((await outcomeOf(ports, person)) !== 'ended') continue;
      await endLogins(ports, person);
      const { tenant, user, subject, teams } = person;
      const ended: PersonRecord = { tenant, user, subject, teams, sealedToken: null, confirmedAt: null };
      await ports.records.put(SYSTEM_TENANT, SIGN_IN_KINDS.person, id, ended);
    }
}
