import { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import { Receivers, ReceiversQuery, Status } from '#features/alertmanager/schemas/alertmanager.ts';
import { RECEIVER } from '#features/alertmanager/use-cases/list-alerts.ts';
import { iso } from '#schemas/http/time.ts';
import { reading } from './alert-endpoints.ts';

/** Version of Alertmanager whose API is spoken; amtool warns of any other than its own. */
const API_VERSION = '0.34.0';

/** Clients parse it; routing is not part of Faultline. */
const CONFIG = `route:\n  receiver: ${RECEIVER}\nreceivers:\n  - name: ${RECEIVER}\n`;

const statusOf = ({ service, ports }: Context) => ({
  cluster: { name: 'faultline', status: 'ready', peers: [{ name: 'faultline', address: '127.0.0.1:0' }] },
  versionInfo: {
    version: API_VERSION,
    revision: `faultline-${service.version}`,
    branch: 'faultline',
    buildUser: '',
    buildDate: '',
    goVersion: '',
  },
  config: { original: CONFIG },
  uptime: service.once('alertmanager uptime', () => iso(ports.clock.now())),
});

const status = endpoint<void, ReturnType<typeof statusOf>>({
  ...reading,
  id: 'alertmanager.status',
  summary: 'Get the status (Alertmanager)',
  mounts: on.alertmanager.get('/status', { reply: Status, read: () => undefined, present: (body) => ({ body }) }),
  handle: async (_, context) => statusOf(context),
});

const receivers = endpoint<void, void>({
  ...reading,
  id: 'alertmanager.receivers',
  summary: 'List receivers (Alertmanager)',
  mounts: on.alertmanager.get('/receivers', {
    query: ReceiversQuery,
    reply: Receivers,
    read: () => undefined,
    present: () => ({ body: [{ name: RECEIVER }] }),
  }),
  handle: async () => undefined,
});

const open = { tag: 'Alertmanager', permission: null, limit: 'none' } as const;
const TEXT = 'text/plain; charset=utf-8';
const answer = { reply: z.string(), replyType: TEXT, read: () => undefined } as const;

const healthy = endpoint<void, void>({
  ...open,
  id: 'alertmanager.healthy',
  summary: 'Check liveness (Alertmanager)',
  mounts: on.ops.get('/-/healthy', { ...answer, present: () => ({ body: null, raw: { type: TEXT, content: 'OK' } }) }),
  handle: async () => undefined,
});

const ready = endpoint<void, ProcessHealth>({
  ...open,
  id: 'alertmanager.ready',
  summary: 'Check readiness (Alertmanager)',
  mounts: on.ops.get('/-/ready', {
    ...answer,
    alsoStatus: [503],
    present: ({ ready: isReady }) => ({
      status: isReady ? 200 : 503,
      body: null,
      raw: { type: TEXT, content: isReady ? 'OK' : 'Not ready' },
    }),
  }),
  handle: (_, { service }) => service.health(),
});

export const statusEndpoints = [status, receivers, healthy, ready];
