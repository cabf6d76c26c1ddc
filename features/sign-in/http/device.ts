import { presentIssued } from '#api/auth/present-issued.ts';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { Issued } from '#application/access/sessions.ts';
import { Fault } from '#domain/fault.ts';
import type { DeviceAttempt, ProvenIdentity } from '#features/sign-in/rules/issuer.ts';
import { DeviceOutcome, DeviceSignIn, DeviceTokenRequest } from '#features/sign-in/schemas/sign-in.ts';
import { noteRefusal, SignInRefused, signInAs } from '#features/sign-in/use-cases/sign-in.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { common, issuerOf, limit } from './kit.ts';

/** Questions per address and minute: several people behind one address ask every five seconds. */
const ASKED_PER_MINUTE = 300;

const silent = () =>
  new Fault('unavailable', 'The identity provider does not answer. Try again later', [], { retryAfter: 10 });

const begin = endpoint<void, DeviceAttempt>({
  ...common,
  alsoFaults: ['not-found', 'rate-limited', 'unavailable'],
  id: 'auth.oidc.device.start',
  summary: 'Start device sign-in',
  description: 'Device authorization (RFC 8628): the user opens the address in a browser and enters the code.',
  mounts: on.platform.post('/auth/oidc/device', {
    reply: wrapped(DeviceSignIn),
    read: () => undefined,
    present: (attempt: DeviceAttempt) => ({ body: attempt, headers: { 'Cache-Control': 'no-store' } }),
  }),
  async handle(_, context) {
    const issuer = issuerOf(context);
    await limit(context);
    const begun = await issuer.beginDevice().catch(() => {
      throw silent();
    });
    if (begun === null)
      throw new Fault(
        'not-found',
        'The identity provider offers this client no device authorization (RFC 8628). Enable it there, or use a token',
      );
    return begun;
  },
});

const REFUSED: Readonly<Record<string, string>> = {
  unassigned: 'Your account has no access to Faultline. Ask an administrator for a sign-in rule',
  disabled: 'Your user is disabled',
  taken: 'Your username belongs to a local user. Ask an administrator to rename or delete that user',
};

/** Throws Fault `forbidden`; the audit log has the reason. */
const enter = async (context: Context, identity: ProvenIdentity): Promise<Issued> => {
  try {
    return await signInAs(context, identity);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    await noteRefusal(context, error.refusal, error.message, 'oidc');
    throw new Fault('forbidden', REFUSED[error.refusal] ?? 'Single sign-on failed');
  }
};

type Outcome = Issued | 'pending' | 'slow-down';

const ask = endpoint<string, Outcome>({
  ...common,
  alsoFaults: ['not-found', 'unauthenticated', 'forbidden', 'rate-limited', 'unavailable'],
  id: 'auth.oidc.device.token',
  summary: 'Get the tokens of a device sign-in',
  description: 'Ask every `interval` seconds, after `slow-down` five seconds later than before.',
  mounts: on.platform.post('/auth/oidc/device/token', {
    body: DeviceTokenRequest,
    reply: wrapped(DeviceOutcome),
    read: ({ body }) => body.device,
    present: (outcome: Outcome) =>
      typeof outcome === 'string'
        ? { body: { pending: outcome }, headers: { 'Cache-Control': 'no-store' } }
        : presentIssued(outcome),
  }),
  async handle(device, context) {
    const issuer = issuerOf(context);
    await limit(context, 'oidc-device', ASKED_PER_MINUTE);
    const outcome = await issuer.askDevice(device).catch(async (error: Error) => {
      await noteRefusal(context, 'failed', error.message, 'oidc');
      throw silent();
    });
    if (outcome === 'ended') throw new Fault('unauthenticated', 'The sign-in was denied or has expired. Start again');
    return typeof outcome === 'string' ? outcome : enter(context, outcome);
  },
});

export const deviceEndpoints = [begin, ask];
