import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { DEPLOY, deployedText, PACKAGE, unknownSettings, valuesOf, yaml } from './deployed.ts';
import { ROOT } from './planted.ts';

/* Helm is not here: infra/deploy/helm/render.sh has rendered the chart, and these tests read the result. */

const CHART = 'helm/faultline';
type Tree = Readonly<Record<string, unknown>>;
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
  readonly rules: unknown;
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Tree };
    readonly groups: unknown;
    readonly template: { readonly metadata: { readonly labels: Tree }; readonly spec: Pod };
  };
}
interface Pod extends Tree {
  readonly containers: readonly [Container];
}
interface Container extends Tree {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

const files = readdirSync(join(ROOT, DEPLOY, CHART), { recursive: true, withFileTypes: true })
  .filter((entry) => !entry.isDirectory())
  .map(({ parentPath, name }) => join(parentPath, name).slice(join(ROOT, DEPLOY).length + 1))
  .filter((path) => !path.includes('/ci/'))
  .sort();
const values = yaml<Tree>(`${CHART}/values.yaml`);
const schema = JSON.parse(deployedText(`${CHART}/values.schema.json`)) as Schema;
const resources = (text: string): Resource[] => parseAllDocuments(text).map((one) => one.toJS() as Resource);
const rendered = (mode: string): Resource[] => resources(deployedText(`helm/rendered/${mode}.yaml`));
const one = (all: readonly Resource[], kind: string, name = ''): Resource =>
  all.find((resource) => resource.kind === kind && resource.metadata.name.endsWith(name))!;
const settings = ({ env }: Container) => Object.fromEntries(env.map(({ name, value }) => [name, value]));

test('is of this version, and rendered as it is', () => {
  const { version, appVersion } = yaml<{ version: string; appVersion: string }>(`${CHART}/Chart.yaml`);
  expect([version, appVersion]).toEqual([PACKAGE.version, PACKAGE.version]);
  const hash = createHash('sha256').update(files.map(deployedText).join('')).digest('hex');
  for (const mode of ['embedded', 'distributed'])
    expect(deployedText(`helm/rendered/${mode}.yaml`).split('\n', 1)).toEqual([`# Chart ${hash}`]);
});

test('every value that a template reads is in values.yaml, and used', () => {
  const text = files
    .filter((path) => path.includes('/templates/'))
    .map(deployedText)
    .join('\n');
  const read = [...text.matchAll(/(?:\.Values|\$values)\.([a-zA-Z\d]+(?:\.[a-zA-Z\d]+)*)/g)].map(([, path]) => path!);
  const at = (path: string) =>
    path.split('.').reduce<unknown>((tree, key) => (tree as Tree | undefined)?.[key], values);
  expect(read.filter((path) => at(path) === undefined)).toEqual([]);
  // The values of the roles are read by the name of the role.
  const used = new Set([...read.map((path) => path.split('.')[0]), 'api']);
  expect(Object.keys(values).filter((key) => !used.has(key))).toEqual([]);
});

test('the schema knows the values of values.yaml, and no others', () => {
  const differing = (given: Tree, { properties = {} }: Schema, path = ''): string[] =>
    [...new Set([...Object.keys(given), ...Object.keys(properties)])].flatMap((key) => {
      const [value, part] = [given[key], properties[key]];
      if (path + key === 'global') return [];
      if (value === undefined || part === undefined) return [path + key];
      return part.additionalProperties === false ? differing(value as Tree, part, `${path}${key}.`) : [];
    });
  expect(schema.additionalProperties).toBe(false);
  expect(differing(values, schema)).toEqual([]);
});

describe('embedded mode, the default', () => {
  const all = rendered('embedded');
  const set = one(all, 'StatefulSet');

  test('is what the manifest for kubectl has', () => {
    expect(all.map(({ kind }) => kind).sort()).toEqual([
      'NetworkPolicy',
      'Secret',
      'Service',
      'ServiceAccount',
      'StatefulSet',
    ]);
    const plain = one(resources(deployedText('kubernetes/faultline.yaml')), 'StatefulSet').spec;
    const [expected, found] = [plain.template.spec, set.spec.template.spec];
    const { env: plainEnv, ...container } = expected.containers[0];
    expect(set.spec.replicas).toBe(plain.replicas);
    expect(found).toMatchObject({ ...expected, containers: [container], volumes: [{ name: 'secrets' }] });
    const own = settings(found.containers[0]);
    expect(unknownSettings(Object.keys(own))).toEqual([]);
    expect(valuesOf(own)).toEqual(valuesOf(settings(expected.containers[0])));
    expect(plainEnv.length).toBeGreaterThan(0);
  });

  test('its selector is in the labels of its pods', () => {
    expect(set.spec.template.metadata.labels).toMatchObject(set.spec.selector.matchLabels);
  });

  test('has a generated password, which later releases keep', () => {
    expect(Object.keys(one(all, 'Secret').data)).toEqual(['admin-password']);
    expect(deployedText(`${CHART}/templates/secret.yaml`)).toMatch(/lookup .*[\s\S]*default \(randAlphaNum 24 /);
  });
});

describe('distributed mode', () => {
  const all = rendered('distributed');

  test.each(['api', 'worker'])('%s processes have their settings, and no volume', (role) => {
    const { template, selector } = one(all, 'Deployment', role).spec;
    const own = settings(template.spec.containers[0]);
    expect(unknownSettings(Object.keys(own))).toEqual([]);
    expect(valuesOf(own)).toMatchObject({
      FAULTLINE_MODE: 'distributed',
      FAULTLINE_ROLE: role,
      FAULTLINE_TRUST_PROXY: 1,
      FAULTLINE_LIMIT_SCALE: 2,
      KAFKA_BROKERS: ['kafka-0:9092', 'kafka-1:9092'],
      FAULTLINE_PROCESSORS: role === 'worker' ? ['merge', 'topology'] : null,
    });
    expect('FAULTLINE_ADMIN_PASSWORD_FILE' in own).toBe(role === 'api');
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(all.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Secret')).toEqual([]);
  });

  test('the rules and the role are those of the other files', () => {
    const { groups } = parse(
      deployedText('prometheus/alerts.yaml').replaceAll('{{ $externalLabels.docs }}', 'https://docs.example'),
    ) as Resource['spec'];
    expect(one(all, 'PrometheusRule').spec.groups).toEqual(groups);
    const role = one(resources(deployedText('kubernetes/read-cluster.yaml')), 'ClusterRole');
    expect(one(all, 'ClusterRole').rules).toEqual(role.rules);
    expect(JSON.stringify(one(all, 'PodMonitor').spec)).toContain('"targetLabel":"job","replacement":"faultline"');
  });
});
