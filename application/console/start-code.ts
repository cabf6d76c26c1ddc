import { type Issued, openSession } from '#application/access/sessions.ts';
import { userNamed } from '#application/access/user-store.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';

const ADMIN = 'admin';
const CODE_CHARACTERS = 40;
const START_CODE_MS = 10 * 60_000;
/** Loopback addresses of this machine. */
const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^(?:::1|\[::1\]|localhost)$/;
export const isLoopback = (address: string): boolean => LOOPBACK.test(address);

interface StartCode {
  readonly tenant: string;
  readonly user: string;
}
type StartCodePorts = Pick<Ports, 'records' | 'ids' | 'clock' | 'crypto'>;

/** A link that logs user `admin` in once, within ten minutes, from this machine. */
export const startLink = async (
  { records, ids, clock, crypto }: StartCodePorts,
  tenant: string,
  url: string,
): Promise<string> => {
  const user = await userNamed(records, tenant, ADMIN);
  if (user === null) throw new Error(`there is no user ${ADMIN}`);
  const code = ids.secret(CODE_CHARACTERS);
  const body: StartCode = { tenant, user: user.id };
  const expiresAt = clock.now() + START_CODE_MS;
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.startCode, crypto.sha256(code), body, { expected: 0, expiresAt });
  return `${url}/ui/start#code=${code}`;
};

const unusable = () =>
  new Fault(
    'unauthenticated',
    'The sign-in link has expired, was already used, or was opened on another computer. Sign in with your password',
    [],
    { refused: { reason: 'password' } },
  );

/** Exchanges a one-time code for a login. `isDirect`: no proxy in between, so that the address is the caller's. */
export const useStartCode = async (
  ports: Ports,
  code: string,
  { address, isDirect }: { readonly address: string; readonly isDirect: boolean },
): Promise<Issued> => {
  const id = ports.crypto.sha256(code);
  if (!isDirect || !isLoopback(address)) throw unusable();
  const kept = await ports.records.get<StartCode>(SYSTEM_TENANT, ACCESS_KINDS.startCode, id);
  // Only one of two concurrent requests removes it.
  if (kept === null || !(await ports.records.remove(SYSTEM_TENANT, ACCESS_KINDS.startCode, id))) throw unusable();
  const { tenant, user: userId } = kept.body;
  const user = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, userId);
  if (user === null || user.body.disabled) throw unusable();
  return openSession(ports, tenant, user.body, { remember: false });
};
