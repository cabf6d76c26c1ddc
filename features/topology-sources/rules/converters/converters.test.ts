import { describe, expect, test } from '@jest/globals';
import { convertAwsConfig } from './aws-config.ts';
import { convertAzureGraph } from './azure-graph.ts';
import { convertBackstage } from './backstage.ts';
import { convertConsul } from './consul.ts';
import type { Converter } from './conversion.ts';
import { convertTerraform } from './terraform.ts';

const found = (convert: Converter, ...values: readonly unknown[]) => {
  const conversion = convert(values.map((value, n) => ({ place: `file-${n + 1}`, value })));
  const { cis, edges } = conversion.set.set();
  const names = new Map(cis.map(({ key, line }) => [key, line.name]));
  return {
    cis: Object.fromEntries(cis.map(({ line }) => [line.name, `${line.type} ${line.external_key}`])),
    attributes: Object.fromEntries(cis.map(({ line }) => [line.name, line.attributes])),
    edges: edges
      .map(({ line, source, target }) =>
        [names.get(source.text), line.type, names.get(target.text), line.attributes?.redundancy_group ?? []]
          .flat()
          .join(' '),
      )
      .sort(),
    skipped: Object.fromEntries(conversion.skipped),
    unresolved: Object.fromEntries(conversion.set.unresolved),
  };
};

describe('Terraform', () => {
  const LB = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188';
  const GROUP = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067';
  const AWS = 'provider["registry.terraform.io/hashicorp/aws"]';
  interface StateInstance {
    readonly index_key?: number;
    readonly attributes: object;
    readonly dependencies?: readonly string[];
  }
  interface StateResource {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly provider: string;
    readonly module?: string;
    readonly instances: readonly StateInstance[];
  }
  const resource = (
    type: string,
    name: string,
    instances: readonly StateInstance[],
    more: { readonly module?: string; readonly mode?: string } = {},
  ): StateResource => ({
    mode: 'managed',
    type,
    name,
    provider: AWS,
    instances: instances.map((instance) => ({
      schema_version: 1,
      sensitive_attributes: [],
      private: 'bnVsbA==',
      ...instance,
    })),
    ...more,
  });
  const web = (n: number) => ({
    index_key: n,
    attributes: {
      id: `i-0abc12345678901${n}`,
      arn: `arn:aws:ec2:eu-west-1:123456789012:instance/i-0abc12345678901${n}`,
      private_ip: `10.0.1.1${n}`,
      private_dns: `ip-10-0-1-1${n}.eu-west-1.compute.internal`,
      subnet_id: 'subnet-0aaaaaaaaaaaaaaa1',
      availability_zone: 'eu-west-1a',
      instance_type: 't3.micro',
      user_data: 'secret-of-the-instance',
      tags: { Name: `web-${n}` },
    },
    dependencies: ['aws_security_group.web', 'module.net.aws_subnet.a', 'module.net.aws_vpc.main'],
  });
  const STATE = {
    version: 4,
    terraform_version: '1.13.4',
    serial: 12,
    lineage: '6f5dd0b4-1c1c-4b1b-9e8f-6a1b2c3d4e5f',
    outputs: {},
    resources: [
      resource('aws_vpc', 'main', [{ attributes: { id: 'vpc-0bbbbbbbbbbbbbbb1', tags: { Name: 'main' } } }], {
        module: 'module.net',
      }),
      resource(
        'aws_subnet',
        'a',
        [
          {
            attributes: { id: 'subnet-0aaaaaaaaaaaaaaa1', vpc_id: 'vpc-0bbbbbbbbbbbbbbb1', tags: { Name: 'a' } },
            dependencies: ['module.net.aws_vpc.main'],
          },
        ],
        { module: 'module.net' },
      ),
      resource('aws_security_group', 'web', [{ attributes: { id: 'sg-0ccccccccccccccc1' } }]),
      resource('aws_instance', 'web', [web(0), web(1)]),
      resource('aws_lb', 'web', [
        { attributes: { id: LB, arn: LB, name: 'web', dns_name: 'web-1.elb.amazonaws.com' } },
      ]),
      resource('aws_lb_target_group', 'web', [{ attributes: { id: GROUP, arn: GROUP, name: 'web-targets' } }]),
      resource('aws_lb_listener', 'https', [
        { attributes: { load_balancer_arn: LB, default_action: [{ type: 'forward', target_group_arn: GROUP }] } },
      ]),
      resource('aws_lb_target_group_attachment', 'web', [
        { index_key: 0, attributes: { target_group_arn: GROUP, target_id: 'i-0abc123456789010' } },
        { index_key: 1, attributes: { target_group_arn: GROUP, target_id: 'i-0abc123456789011' } },
      ]),
      resource('aws_ami', 'debian', [{ attributes: { id: 'ami-1' } }], { mode: 'data' }),
    ],
    check_results: null,
  };
  const EXPECTED = {
    edges: [
      'a depends_on main',
      'web depends_on web-targets',
      'web-0 depends_on a',
      'web-1 depends_on a',
      'web-targets depends_on web-0 targets',
      'web-targets depends_on web-1 targets',
    ],
    skipped: { aws_security_group: 1, 'data.aws_ami': 1 },
  };

  test('a state has resources, direct dependencies and load balancing', () => {
    const { cis, attributes, ...rest } = found(convertTerraform, STATE);
    expect(rest).toMatchObject(EXPECTED);
    expect(cis).toEqual({
      main: 'network vpc-0bbbbbbbbbbbbbbb1',
      a: 'subnet subnet-0aaaaaaaaaaaaaaa1',
      'web-0': 'virtual_machine i-0abc123456789010',
      'web-1': 'virtual_machine i-0abc123456789011',
      web: `load_balancer ${LB}`,
      'web-targets': `target_group ${GROUP}`,
    });
    expect(attributes['web-1']).toEqual({
      ip_address: '10.0.1.11',
      fqdn: 'ip-10-0-1-11.eu-west-1.compute.internal',
      zone: 'eu-west-1a',
      instance_type: 't3.micro',
      terraform_address: 'aws_instance.web[1]',
    });
  });

  test('so does the output of terraform show', () => {
    const all = STATE.resources.flatMap(({ instances, module = '', ...one }: StateResource) =>
      instances.map(({ index_key: index, attributes, dependencies }) => ({
        module,
        address:
          [module || [], one.mode === 'data' ? 'data' : [], one.type, one.name].flat().join('.') +
          (index === undefined ? '' : `[${index}]`),
        mode: one.mode,
        type: one.type,
        values: attributes,
        depends_on: dependencies,
      })),
    );
    const of = (path: string) => all.filter(({ module }) => module === path);
    const child = { address: 'module.net', resources: of('module.net') };
    const shown = {
      format_version: '1.0',
      terraform_version: '1.13.4',
      values: { root_module: { resources: of(''), child_modules: [child] } },
    };
    expect(found(convertTerraform, shown)).toEqual(found(convertTerraform, STATE));
  });

  test('resources of other providers have keys of their own', () => {
    const server = resource('hcloud_server', 'db', [
      { attributes: { id: '4711', name: 'db-1', ipv4_address: '192.0.43.9' } },
    ]);
    expect(found(convertTerraform, { ...STATE, resources: [server] }).cis).toEqual({
      'db-1': 'virtual_machine hcloud_server/4711',
    });
  });

  test.each([
    [{ version: 3, modules: [] }, 'file-1: version: expected 4, the format of Terraform 0.12 and later'],
    [{ version: 4 }, 'file-1: resources: expected a list'],
    [{ version: 4, resources: [{ type: 'a' }] }, 'file-1: resources[0]: expected type, name and instances'],
    [{ format_version: '1.2', planned_values: {} }, 'file-1: expected a state, but this is a plan'],
    [{ format_version: '1.0' }, 'file-1: values.root_module: expected the resources of a state'],
    [[], 'file-1: expected a Terraform state'],
  ])('another file is refused: %j', (value, message) => {
    expect(() => found(convertTerraform, value)).toThrow(message);
  });
});

describe('Backstage', () => {
  const entity = (kind: string, name: string, spec: object, metadata: object = {}) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind,
    metadata: { name, ...metadata },
    spec,
  });
  const CATALOG = [
    entity('Component', 'shop', {
      type: 'service',
      lifecycle: 'production',
      owner: 'team-a',
      system: 'retail',
      dependsOn: ['resource:shop-db', 'component:payments/pay', 'resource:default/gone'],
      consumesApis: ['stock-api'],
    }),
    entity(
      'Component',
      'pay',
      { type: 'service', owner: 'team-b', subcomponentOf: 'default/shop' },
      { namespace: 'payments' },
    ),
    entity('Component', 'stock', { type: 'website', providesApis: ['stock-api'] }),
    entity('Component', 'ui-kit', { type: 'library' }),
    entity('API', 'stock-api', { type: 'openapi', definition: 'openapi: 3.1.0' }),
    entity('Resource', 'shop-db', { type: 'database', dependencyOf: ['component:stock'] }),
    entity('System', 'retail', { domain: 'commerce' }),
    entity('Domain', 'commerce', {}),
    entity('Group', 'team-a', { type: 'team', children: [] }),
  ];

  test.each([
    ['documents', CATALOG],
    ['a list of the API', [{ items: CATALOG }]],
  ])('%s have entities and their references', (_, values) => {
    expect(found(convertBackstage, ...values)).toMatchObject({
      cis: {
        shop: 'service backstage:component:default/shop',
        pay: 'service backstage:component:payments/pay',
        stock: 'website backstage:component:default/stock',
        'stock-api': 'api backstage:api:default/stock-api',
        'shop-db': 'database backstage:resource:default/shop-db',
        retail: 'system backstage:system:default/retail',
        commerce: 'domain backstage:domain:default/commerce',
      },
      edges: [
        'pay part_of shop',
        'retail part_of commerce',
        'shop depends_on pay',
        'shop depends_on shop-db',
        'shop depends_on stock-api',
        'shop part_of retail',
        'stock depends_on shop-db',
        'stock-api depends_on stock',
      ],
      skipped: { group: 1, 'component of type library': 1 },
      unresolved: { 'backstage:resource:default/gone': 1 },
    });
  });

  test.each([
    [{ kind: 'Component', metadata: {} }, 'file-1: metadata.name: expected the name of an entity'],
    [{ metadata: { name: 'a' } }, 'file-1: kind: expected the kind of an entity'],
    ['text', 'file-1: expected an entity with kind and metadata'],
  ])('another document is refused: %j', (value, message) => {
    expect(() => found(convertBackstage, value)).toThrow(message);
  });
});

describe('Consul', () => {
  const node = (name: string, address: string) => ({
    ID: 'c9d6a0b4-0f6e-4a29-8a3a-7a4c0b6e1f00',
    Node: name,
    Address: address,
    Datacenter: 'dc1',
    TaggedAddresses: { lan: address, wan: address },
  });
  const WEB = ['n1', 'n2'].map((name, n) => ({
    ...node(name, `10.0.0.${n + 1}`),
    ServiceID: `web-${n}`,
    ServiceName: 'web',
    ServiceKind: '',
    ServiceTags: ['v1'],
    ServiceAddress: '',
    ServicePort: 8080,
    ServiceProxy: {},
  }));
  const HEALTH = [
    {
      Node: node('n1', '10.0.0.1'),
      Service: {
        Kind: 'connect-proxy',
        ID: 'web-0-sidecar-proxy',
        Service: 'web-sidecar-proxy',
        Port: 21000,
        Proxy: {
          DestinationServiceName: 'web',
          Upstreams: [{ DestinationType: 'service', DestinationName: 'db', LocalBindPort: 9191 }],
        },
      },
      Checks: [{ Status: 'passing' }],
    },
    {
      Node: node('n3', '10.0.0.3'),
      Service: { ID: 'db', Service: 'db', Tags: [], Address: '10.0.0.3', Port: 5432 },
      Checks: [],
    },
  ];
  const INTENTIONS = [
    { SourceName: 'web', DestinationName: 'db', SourceType: 'consul', Action: 'allow', Precedence: 9 },
    { SourceName: 'web', DestinationName: 'mail', SourceType: 'consul', Permissions: [{ Action: 'allow', HTTP: {} }] },
    { SourceName: '*', DestinationName: 'db', SourceType: 'consul', Action: 'deny', Precedence: 8 },
    { SourceName: '*', DestinationName: 'web', SourceType: 'consul', Action: 'allow', Precedence: 8 },
    { SourceName: 'web', DestinationName: 'gone', SourceType: 'consul', Action: 'allow', Precedence: 9 },
  ];
  const DEFINITION = {
    service: {
      name: 'mail',
      port: 25,
      connect: { sidecar_service: { proxy: { upstreams: [{ destination_name: 'db', local_bind_port: 9191 }] } } },
    },
  };

  test('catalog, health, intentions and definitions are one set', () => {
    const all = found(convertConsul, WEB, HEALTH, INTENTIONS, { cache: ['redis'], web: ['v1'] }, DEFINITION);
    expect(all).toMatchObject({
      cis: {
        web: 'service consul:dc1/service/web',
        db: 'service consul:dc1/service/db',
        cache: 'service consul:dc1/service/cache',
        mail: 'service consul:dc1/service/mail',
        n1: 'server consul:dc1/node/n1',
        n2: 'server consul:dc1/node/n2',
        n3: 'server consul:dc1/node/n3',
      },
      edges: [
        'db runs_on n3',
        'mail depends_on db',
        'web depends_on db',
        'web depends_on mail',
        'web runs_on n1 instances',
        'web runs_on n2 instances',
      ],
      skipped: {
        'sidecar proxy (part of its service)': 1,
        'intention that denies': 1,
        'intention for all services': 1,
      },
      unresolved: { 'consul:dc1/service/gone': 1 },
    });
    expect(all.attributes.n2).toEqual({ ip_address: '10.0.0.2', datacenter: 'dc1' });
  });

  test('services of an agent, and nodes', () => {
    const services = { 'web-1': { ID: 'web-1', Service: 'web', Port: 80 } };
    expect(Object.keys(found(convertConsul, services, [node('n9', '10.0.0.9')]).cis).sort()).toEqual(['n9', 'web']);
    expect(found(convertConsul, { Node: node('n1', '10.0.0.1'), Services: services }).edges).toEqual([
      'web runs_on n1',
    ]);
  });

  test.each([
    [[{ Foo: 1 }], 'file-1: [0]: expected a service, node or intention'],
    [{ version: 4 }, 'file-1: expected a reply of Consul or a service definition'],
  ])('another file is refused: %j', (value, message) => {
    expect(() => found(convertConsul, value)).toThrow(message);
  });
});

describe('AWS Config', () => {
  interface Related {
    readonly resourceType: string;
    readonly resourceId?: string;
    readonly resourceName?: string;
    readonly name: string;
  }
  const item = (resourceType: string, resourceId: string, more: object = {}) => ({
    configurationItemVersion: '1.3',
    configurationItemCaptureTime: '2026-11-20T10:00:00.000Z',
    configurationItemStatus: 'OK',
    awsAccountId: '123456789012',
    awsRegion: 'eu-west-1',
    resourceType,
    resourceId,
    relatedEvents: [],
    relationships: [] as Related[],
    configuration: {},
    supplementaryConfiguration: {},
    tags: {},
    ...more,
  });
  const related = (resourceType: string, resourceId: string, name: string) => ({ resourceType, resourceId, name });
  const SNAPSHOT = {
    fileVersion: '1.0',
    configSnapshotId: '16da64e4-cb65-4846-b061-e6c3ba43cb96',
    configurationItems: [
      item('AWS::EC2::VPC', 'vpc-0bbbbbbbbbbbbbbb1', { tags: { Name: 'main' } }),
      item('AWS::EC2::Subnet', 'subnet-0aaaaaaaaaaaaaaa1', {
        tags: { Name: 'a' },
        relationships: [
          related('AWS::EC2::Instance', 'i-0abc1234567890123', 'Contains Instance'),
          related('AWS::EC2::VPC', 'vpc-0bbbbbbbbbbbbbbb1', 'Is contained in Vpc'),
        ],
      }),
      item('AWS::EC2::Instance', 'i-0abc1234567890123', {
        ARN: 'arn:aws:ec2:eu-west-1:123456789012:instance/i-0abc1234567890123',
        availabilityZone: 'eu-west-1a',
        tags: { Name: 'web-1' },
        configuration: {
          privateIpAddress: '10.0.1.17',
          privateDnsName: 'ip-10-0-1-17.eu-west-1.compute.internal',
          instanceType: 't3.micro',
          state: { code: 16, name: 'running' },
        },
        relationships: [
          related('AWS::EC2::Volume', 'vol-0ddddddddddddddd1', 'Is attached to Volume'),
          related('AWS::EC2::SecurityGroup', 'sg-1', 'Is associated with SecurityGroup'),
          related('AWS::EC2::Subnet', 'subnet-0aaaaaaaaaaaaaaa1', 'Is contained in Subnet'),
          related('AWS::EC2::VPC', 'vpc-0bbbbbbbbbbbbbbb1', 'Is contained in Vpc'),
        ],
      }),
      item('AWS::EC2::Volume', 'vol-0ddddddddddddddd1', {
        relationships: [related('AWS::EC2::Instance', 'i-0abc1234567890123', 'Is attached to Instance')],
      }),
      item(
        'AWS::AutoScaling::AutoScalingGroup',
        'arn:aws:autoscaling:eu-west-1:1:autoScalingGroup:x:autoScalingGroupName/web',
        {
          resourceName: 'web',
          relationships: [related('AWS::EC2::Instance', 'i-0abc1234567890123', 'Contains Instance')],
        },
      ),
      item('AWS::ElasticBeanstalk::Environment', 'e-abc', {
        resourceName: 'shop',
        ARN: 'arn:aws:elasticbeanstalk:eu-west-1:1:environment/shop/shop',
        relationships: [
          {
            resourceType: 'AWS::AutoScaling::AutoScalingGroup',
            resourceName: 'web',
            name: 'Contains AutoScalingGroup',
          },
        ],
      }),
      item('AWS::EC2::SecurityGroup', 'sg-1'),
      item('AWS::EC2::Instance', 'i-0deadbeef00000001', { configurationItemStatus: 'ResourceDeleted' }),
    ],
  };
  const EXPECTED = {
    cis: {
      main: 'network vpc-0bbbbbbbbbbbbbbb1',
      a: 'subnet subnet-0aaaaaaaaaaaaaaa1',
      'web-1': 'virtual_machine i-0abc1234567890123',
      'vol-0ddddddddddddddd1': 'volume vol-0ddddddddddddddd1',
      web: 'node_pool arn:aws:autoscaling:eu-west-1:1:autoScalingGroup:x:autoScalingGroupName/web',
      shop: 'application arn:aws:elasticbeanstalk:eu-west-1:1:environment/shop/shop',
    },
    edges: [
      'a depends_on main',
      'shop depends_on web',
      'web depends_on web-1',
      'web-1 depends_on a',
      'web-1 uses vol-0ddddddddddddddd1',
    ],
    skipped: { 'AWS::EC2::SecurityGroup': 1, 'AWS::EC2::Instance (deleted)': 1 },
  };

  test('a snapshot has resources and the relationships that carry faults', () => {
    const all = found(convertAwsConfig, SNAPSHOT);
    expect(all).toMatchObject(EXPECTED);
    expect(all.attributes['web-1']).toEqual({
      ip_address: '10.0.1.17',
      fqdn: 'ip-10-0-1-17.eu-west-1.compute.internal',
      region: 'eu-west-1',
      zone: 'eu-west-1a',
      account: '123456789012',
      instance_type: 't3.micro',
    });
  });

  test('so do replies of the API, with configurations as text', () => {
    const baseConfigurationItems = SNAPSHOT.configurationItems.map(({ configuration, relationships, ...one }) => ({
      ...one,
      configuration: JSON.stringify(configuration),
      relationships: relationships.map(({ name, ...rest }) => ({ ...rest, relationshipName: name })),
    }));
    expect(found(convertAwsConfig, { baseConfigurationItems })).toMatchObject(EXPECTED);
  });

  test.each([
    [{ Message: 'x' }, 'file-1: configurationItems: expected a list'],
    [
      { configurationItems: [{ resourceId: 'a' }] },
      'file-1: configurationItems[0]: expected resourceType and resourceId',
    ],
    [
      { configurationItems: [item('AWS::EC2::VPC', 'vpc-1', { configuration: '{' })] },
      'file-1: configurationItems[0].configuration: expected JSON',
    ],
  ])('another file is refused: %j', (value, message) => {
    expect(() => found(convertAwsConfig, value)).toThrow(message);
  });
});

describe('Azure Resource Graph', () => {
  const GROUP = '/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/Shop/providers';
  const row = (type: string, name: string, properties: object = {}) => ({
    id: `${GROUP}/${type}/${name}`,
    name,
    type: type.toLowerCase(),
    location: 'westeurope',
    resourceGroup: 'shop',
    subscriptionId: '0b1f6471-1bf0-4dda-aec3-cb9272f09590',
    properties,
  });
  const NIC = `${GROUP}/Microsoft.Network/networkInterfaces/web-nic`;
  const VM = `${GROUP}/Microsoft.Compute/virtualMachines/web`;
  const data = [
    row('Microsoft.Compute/virtualMachines', 'web', {
      hardwareProfile: { vmSize: 'Standard_B2s' },
      networkProfile: { networkInterfaces: [{ id: NIC, properties: { primary: true } }] },
      storageProfile: { osDisk: { managedDisk: { id: `${GROUP}/Microsoft.Compute/disks/web-os` } }, dataDisks: [] },
    }),
    row('Microsoft.Compute/disks', 'web-os'),
    row('Microsoft.Network/networkInterfaces', 'web-nic', {
      virtualMachine: { id: VM },
      ipConfigurations: [
        {
          id: `${NIC}/ipConfigurations/one`,
          properties: {
            privateIPAddress: '10.1.0.4',
            subnet: { id: `${GROUP}/Microsoft.Network/virtualNetworks/net/subnets/default` },
          },
        },
      ],
    }),
    row('Microsoft.Network/virtualNetworks', 'net'),
    row('Microsoft.Network/loadBalancers', 'front', {
      backendAddressPools: [{ properties: { backendIPConfigurations: [{ id: `${NIC}/ipConfigurations/one` }] } }],
    }),
    row('Microsoft.Web/serverfarms', 'plan'),
    row('Microsoft.Web/sites', 'app', {
      serverFarmId: `${GROUP}/microsoft.web/serverfarms/plan`,
      defaultHostName: 'app.azurewebsites.net',
    }),
    row('Microsoft.Sql/servers', 'sql', { fullyQualifiedDomainName: 'sql.database.windows.net' }),
    row('Microsoft.Sql/servers/databases', 'sql/databases/orders'),
    row('Microsoft.Network/publicIPAddresses', 'ip'),
  ].map((one) => ({ ...one, id: one.id.replace('servers/databases/sql/databases', 'servers/sql/databases') }));

  test('results have resources, their networks, disks, back ends and hosts', () => {
    const all = found(convertAzureGraph, { count: 10, total_records: 10, skip_token: null, data });
    expect(all).toMatchObject({
      cis: {
        web: `virtual_machine ${VM.toLowerCase()}`,
        'sql/databases/orders': expect.stringContaining('/servers/sql/databases/orders'),
      },
      edges: [
        'app runs_on plan',
        'front depends_on web',
        'sql/databases/orders runs_on sql',
        'web depends_on net',
        'web uses web-os',
      ],
      skipped: { 'microsoft.network/networkinterfaces': 1, 'microsoft.network/publicipaddresses': 1 },
    });
    expect(all.attributes.web).toMatchObject({
      ip_address: '10.1.0.4',
      instance_type: 'Standard_B2s',
      region: 'westeurope',
    });
    expect(found(convertAzureGraph, data)).toEqual(all);
  });

  test('two pages are one set; a missing page is refused', () => {
    const pages = [data.slice(0, 5), data.slice(5)].map((part) => ({
      totalRecords: 10,
      count: 5,
      data: part,
      resultTruncated: 'true',
    }));
    expect(found(convertAzureGraph, ...pages)).toEqual(found(convertAzureGraph, data));
    expect(() => found(convertAzureGraph, pages[0])).toThrow(
      'file-1: expected all 10 results of the query, but the files have 5. Export all pages',
    );
  });

  test.each([
    [{ rows: [] }, 'file-1: data: expected a list of resources'],
    [{ data: [{ name: 'a' }] }, 'file-1: data[0]: expected id and type'],
  ])('another file is refused: %j', (value, message) => {
    expect(() => found(convertAzureGraph, value)).toThrow(message);
  });
});
