import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { Variables } from '#infra/config-variables.ts';
import { MEASUREMENTS } from '#infra/metrics/table.ts';
import { ROOT } from './planted.ts';
import { documentText } from './tables.ts';

const DEPLOY = 'infra/deploy';
const yaml = <T>(path: string): T => parse(documentText(`${DEPLOY}/${path}`), { merge: true }) as T;

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}
const { services, volumes } = yaml<{ services: Record<string, Service>; volumes: Record<string, null> }>(
  'compose.yaml',
);
const all = Object.entries(services);

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const alerts = yaml<{ groups: { rules: Alert[] }[] }>('prometheus/alerts.yaml').groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string }[];
}
const { panels, templating } = JSON.parse(documentText(`${DEPLOY}/grafana/faultline.json`)) as {
  panels: Panel[];
  templating: { list: { name: string; type: string }[] };
};

/** Every name under which Prometheus keeps a measurement, with its labels. */
const series = new Map(
  MEASUREMENTS.flatMap(({ name, kind, labels }) =>
    kind === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']] as const,
          [`${name}_sum`, labels] as const,
          [`${name}_count`, labels] as const,
        ]
      : [[name, labels] as const],
  ),
);
/** What Prometheus adds. */
const ADDED = ['job', 'instance'];

const namesIn = (expr: string): string[] => expr.match(/\bfaultline_\w+/g) ?? [];
const labelsIn = (expr: string): string[] => [
  ...[...expr.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, list]) => list!.split(',').map((label) => label.trim())),
  ...[...expr.matchAll(/(\w+)(?:=~?|!=|!~)"/g)].map(([, label]) => label!),
];
const unknownIn = (expr: string): string[] => {
  const names = namesIn(expr);
  const labels = [...ADDED, ...names.flatMap((name) => series.get(name) ?? [])];
  return [...names.filter((name) => !series.has(name)), ...labelsIn(expr).filter((label) => !labels.includes(label))];
};

test('names and labels that do not exist are found', () => {
  expect(unknownIn('sum by (processor, le) (faultline_commit_seconds{host="a"}) / faultline_no_such_total')).toEqual([
    'faultline_commit_seconds',
    'faultline_no_such_total',
    'processor',
    'le',
    'host',
  ]);
});

describe('compose.yaml', () => {
  test.each(all)(
    '%s: a pinned image that is not of Bitnami, and a health check',
    (_name, { image, build, healthcheck }) => {
      expect(image).toMatch(/:v?\d+\.\d+[\w.-]*$/);
      expect(image).not.toMatch(/bitnami/);
      if (build === undefined) expect(healthcheck?.test[0]).toBe('CMD');
      else expect(documentText(build.dockerfile)).toMatch(/^HEALTHCHECK [\s\S]*\/livez/m);
    },
  );

  test.each(all)('%s: what it depends on, mounts and publishes exists and is for this machine', (_name, service) => {
    const mounts = (service.volumes ?? []).map((mount) => mount.split(':')[0]!);
    const missing = mounts.filter((from) =>
      from.startsWith('.') ? !existsSync(join(ROOT, DEPLOY, from)) : !(from in volumes),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in services))).toEqual([]);
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test.each(['api', 'worker'])('%s: its environment is understood, in this role', (role) => {
    const environment = services[role]!.environment!;
    expect(Object.keys(environment).filter((name) => !(name in Variables.shape))).toEqual([]);
    const given = Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*)\}/, '$1')]);
    const values = Variables.parse(Object.fromEntries(given.filter(([, value]) => value !== '')));
    expect(values).toMatchObject({ FAULTLINE_MODE: 'distributed', FAULTLINE_ROLE: role });
  });
});

describe('alerts', () => {
  const anchors = [...documentText('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading]) => `{{ $externalLabels.docs }}/operations.md#${heading!.toLowerCase().replaceAll(' ', '-')}`,
  );

  test.each(alerts.map((rule) => [rule.alert, rule] as const))('%s', (_name, { expr, annotations }) => {
    expect(unknownIn(expr)).toEqual([]);
    expect(namesIn(expr).length > 0 || expr.startsWith('up{job="faultline"}')).toBe(true);
    expect(anchors).toContain(annotations.runbook_url);
  });

  test('are read by Prometheus, which finds the services by name', () => {
    const prometheus = yaml<{
      global: { external_labels: Record<string, string> };
      rule_files: string[];
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[] }[] }[];
    }>('prometheus/prometheus.yaml');
    expect(prometheus.rule_files).toEqual(['alerts.yaml']);
    // The link of an alert begins with the external label, which Prometheus takes from its environment.
    const variable = /^\$\{(\w+)\}$/.exec(prometheus.global.external_labels.docs!)?.[1];
    expect(services.prometheus!.environment![variable!]).toMatch(/:-https:\/\//);
    expect(prometheus.scrape_configs.map(({ job_name }) => job_name)).toEqual(['faultline']);
    const names = prometheus.scrape_configs.flatMap((job) => job.dns_sd_configs.flatMap((found) => found.names));
    expect(names.filter((name) => !(name in services))).toEqual([]);
  });
});

describe('dashboard', () => {
  const { datasources } = yaml<{ datasources: { uid: string; url: string }[] }>('grafana/datasources.yaml');

  test.each(panels.map((panel) => [panel.title, panel] as const))(
    '%s',
    (_title, { targets, datasource, description }) => {
      expect(description).toMatch(/^[A-Z].{20,}\.$/);
      expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
      expect(targets.filter(({ expr }) => namesIn(expr).length === 0)).toEqual([]);
      expect(targets.filter(({ expr }) => !expr.includes('instance=~"$instance"'))).toEqual([]);
      expect(datasource.uid).toMatch(/^\$\{datasource\}$/);
    },
  );

  test('lets people choose data source and process', () => {
    expect(templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ]);
  });

  test('shows every measurement, in panels with ids of their own', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
    const hidden = MEASUREMENTS.filter(({ name }) => ![...shown].some((one) => one.startsWith(name)));
    expect(hidden.map(({ name }) => name)).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('is where its provider looks, and the data comes from a service', () => {
    const { providers } = yaml<{ providers: { options: { path: string } }[] }>('grafana/dashboards.yaml');
    const mounted = services.grafana!.volumes!.map((mount) => mount.split(':')[1]);
    expect(mounted).toContain(`${providers[0]!.options.path}/faultline.json`);
    expect(datasources.map(({ url }) => new URL(url).hostname).filter((name) => !(name in services))).toEqual([]);
  });
});
