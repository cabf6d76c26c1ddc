import { assertDefined } from '#domain/assert.ts';

/** The company of the demo: its systems and their sites. */
export const SITES: readonly string[] = ['fra1', 'ams2', 'dub3'];

export interface Application {
  readonly name: string;
  readonly site: string;
  readonly team: string;
  readonly machines: number;
  readonly calls: readonly string[];
  /** Shared things of its site. */
  readonly uses: readonly ('rabbitmq' | 'redis')[];
}

const app = (name: string, site: string, team: string, machines: number, calls: string, uses = ''): Application => ({
  name,
  site,
  team,
  machines,
  calls: calls.split(' ').filter((word) => word !== ''),
  uses: uses.split(' ').filter((word) => word !== '') as Application['uses'],
});

export const APPLICATIONS: readonly Application[] = [
  app('storefront', 'fra1', 'shop', 4, 'cart catalog search recommendations identity cms media checkout', 'redis'),
  app('mobile-gateway', 'ams2', 'shop', 3, 'cart catalog search identity orders'),
  app('checkout', 'fra1', 'shop', 3, 'cart pricing payments orders identity', 'rabbitmq'),
  app('cart', 'fra1', 'shop', 3, 'pricing', 'redis'),
  app('catalog', 'ams2', 'catalog', 3, 'media', 'redis'),
  app('search', 'ams2', 'catalog', 3, 'catalog'),
  app('pricing', 'fra1', 'catalog', 2, 'catalog'),
  app('media', 'ams2', 'catalog', 2, ''),
  app('recommendations', 'ams2', 'data', 2, 'analytics'),
  app('inventory', 'dub3', 'logistics', 3, '', 'rabbitmq'),
  app('orders', 'fra1', 'orders', 3, 'inventory shipping notifications', 'rabbitmq'),
  app('shipping', 'dub3', 'logistics', 2, '', 'rabbitmq'),
  app('warehouse-ui', 'dub3', 'logistics', 2, 'inventory shipping identity'),
  app('payments', 'fra1', 'payments', 3, 'fraud-check billing'),
  app('fraud-check', 'fra1', 'payments', 2, ''),
  app('billing', 'dub3', 'finance', 2, 'invoicing'),
  app('invoicing', 'dub3', 'finance', 2, ''),
  app('notifications', 'fra1', 'platform', 2, 'mailer', 'rabbitmq'),
  app('mailer', 'ams2', 'platform', 2, '', 'rabbitmq'),
  app('identity', 'fra1', 'platform', 3, '', 'redis'),
  app('customers', 'ams2', 'crm', 2, 'identity'),
  app('crm', 'ams2', 'crm', 2, 'customers orders identity'),
  app('reporting', 'dub3', 'data', 2, 'analytics'),
  app('analytics', 'dub3', 'data', 2, ''),
  app('partner-api', 'dub3', 'partners', 2, 'orders inventory identity'),
  app('cms', 'ams2', 'content', 2, ''),
  app('intranet', 'ams2', 'workplace', 2, 'identity cms'),
];

export const DATABASES: readonly { readonly name: string; readonly site: string }[] =
  'orders payments customers inventory catalog billing crm identity cms shipping analytics'.split(' ').map((name) => ({
    name,
    site: assertDefined(
      APPLICATIONS.find((one) => one.name === name),
      name,
    ).site,
  }));

export const BUSINESS_SERVICES: readonly {
  readonly name: string;
  readonly apps: readonly string[];
  readonly balancer: string | null;
}[] = [
  { name: 'Web Shop', apps: ['storefront', 'checkout'], balancer: 'fra1-lb-01' },
  { name: 'Mobile Shop', apps: ['mobile-gateway'], balancer: 'ams2-lb-01' },
  { name: 'Partner Channel', apps: ['partner-api'], balancer: 'dub3-lb-01' },
  { name: 'Online Payments', apps: ['payments', 'billing'], balancer: null },
  { name: 'Logistics', apps: ['warehouse-ui', 'shipping'], balancer: null },
  { name: 'Customer Care', apps: ['crm', 'notifications'], balancer: null },
  { name: 'Management Reporting', apps: ['reporting'], balancer: null },
  { name: 'Workplace', apps: ['intranet'], balancer: null },
];

/** Machines that no application above needs: the origin of most of the background. */
export const OFFICE_MACHINES: readonly string[] = [
  'ad-01 ad-02 backup-01 build-01 build-02 build-03 file-01 ftp-01 git-01 jump-01 ldap-01 log-01 log-02 mail-01',
  'mon-01 ntp-01 print-01 proxy-01 repo-01 sftp-01 stage-01 stage-02 stage-03 syslog-01 test-01 test-02 test-03',
  'vault-01 vpn-01 wiki-01',
].flatMap((row) => row.split(' '));
