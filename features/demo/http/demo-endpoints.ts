import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { DemoBody } from '#features/demo/schemas/demo.ts';
import type { Demo } from '#features/demo/use-cases/demo-record.ts';
import { removeDemo, showDemo, startDemo } from '#features/demo/use-cases/manage-demo.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const common = { tag: 'Administration', permission: 'tenants.manage', limit: 'standard' } as const;
const NONE = { tenant: null, state: 'none', sent: 0, total: 0 } as const;
const at = { on: 'platform', path: '/admin/demo', reply: wrapped(DemoBody) } as const;
const read = (): undefined => undefined;

const start = endpoint<undefined, Demo>({
  ...common,
  id: 'admin.demo.start',
  summary: 'Load the demo',
  description: 'Creates a separate tenant with 12 hours of events. One demo at a time. Access it with X-Tenant-ID.',
  mounts: mount({ ...at, method: 'post', status: 202, read, present: (demo: Demo) => ({ status: 202, body: demo }) }),
  handle: (_, context) => startDemo(context),
});

const show = endpoint<undefined, Demo | null>({
  ...common,
  id: 'admin.demo.get',
  summary: 'Get demo status',
  mounts: mount({ ...at, method: 'get', read, present: (demo: Demo | null) => ({ body: demo ?? NONE }) }),
  handle: (_, context) => showDemo(context),
});

const remove = endpoint<undefined, Demo>({
  ...common,
  id: 'admin.demo.delete',
  summary: 'Delete the demo',
  alsoFaults: ['not-found'],
  mounts: mount({ ...at, method: 'delete', status: 202, read, present: () => ({ status: 202, body: NONE }) }),
  handle: (_, context) => removeDemo(context),
});

export const demoEndpoints = [start, show, remove];
