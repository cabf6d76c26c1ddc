import { describe, expect, test } from '@jest/globals';
import { routes } from '#api/http/routing/routes.ts';
import { MEASUREMENTS as OF_CORE } from '#infra/metrics/table.ts';
import { endpoints, measurements } from '#whole';
import { COMPOSE, composed, deployedText, interpolated, yaml } from './deployed.ts';
import { documentText } from './tables.ts';

const MEASUREMENTS = [...OF_CORE, ...measurements];

const services = composed('compose.yaml').services;

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
const { panels, templating } = JSON.parse(deployedText('grafana/faultline.json')) as {
  panels: Panel[];
  templating: { list: { name: string; type: string }[] };
};

/** Every name under which Prometheus stores a measurement, with its labels. */
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
/** Labels that Prometheus adds. */
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

describe('alerts', () => {
  const anchors = [...documentText('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading]) => `{{ $externalLabels.docs }}/operations.md#${heading!.toLowerCase().replaceAll(' ', '-')}`,
  );

  test.each(alerts.map((rule) => [rule.alert, rule] as const))('%s', (_name, { expr, annotations }) => {
    expect(unknownIn(expr)).toEqual([]);
    expect(namesIn(expr).length > 0 || expr.startsWith('up{job="faultline"}')).toBe(true);
    expect(anchors).toContain(annotations.runbook_url);
  });

  interface Prometheus {
    readonly global: { readonly external_labels: Readonly<Record<string, string>> };
    readonly rule_files: readonly string[];
    readonly alerting: { readonly alertmanagers: readonly { readonly static_configs: readonly Targets[] }[] };
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly dns_sd_configs?: readonly { readonly names: readonly string[] }[];
      readonly static_configs?: readonly Targets[];
    }[];
  }
  interface Targets {
    readonly targets: readonly string[];
  }
  /** The option of a service's command, without and with variables. */
  const optionOf = (service: string, file: string, option: string, set?: string): string => {
    const found = composed(file)
      .services[service]!.command!.map((part) => interpolated(part, set))
      .find((part) => part.startsWith(`${option}=`));
    return found!.slice(option.length + 1);
  };
  const fileIn = (inContainer: string): string => inContainer.replace('/etc/', '');

  test.each(COMPOSE)('%s: are read by Prometheus, which finds the services by name', (compose) => {
    const prometheus = yaml<Prometheus>(fileIn(optionOf('prometheus', compose, '--config.file')));
    const there = composed(compose).services;
    expect(prometheus.rule_files).toEqual(['alerts.yaml']);
    // The link of an alert begins with the external label, which Prometheus reads from its environment.
    const variable = /^\$\{(\w+)\}$/.exec(prometheus.global.external_labels.docs!)?.[1];
    expect(there.prometheus!.environment![variable!]).toMatch(/:-https:\/\//);
    expect(prometheus.scrape_configs.map(({ job_name }) => job_name)).toEqual(['faultline']);
    const named = prometheus.scrape_configs.flatMap((job) => (job.dns_sd_configs ?? []).flatMap(({ names }) => names));
    const targets = [...prometheus.scrape_configs, ...prometheus.alerting.alertmanagers]
      .flatMap((job) => job.static_configs ?? [])
      .flatMap((config) => config.targets);
    const hosts = named.concat(targets.map((target) => target.split(':')[0]!));
    expect(hosts.filter((name) => !(name in there))).toEqual([]);
    expect(hosts.filter((name) => there[name]!.build !== undefined).length).toBeGreaterThan(0);
    expect(targets).toContain('alertmanager:9093');
  });

  test('are the same in both modes but for what is scraped', () => {
    const [distributed, embedded] = COMPOSE.map((compose) => {
      const { scrape_configs: _, ...rest } = yaml<Prometheus>(fileIn(optionOf('prometheus', compose, '--config.file')));
      return rest;
    });
    expect(embedded).toEqual(distributed);
  });

  interface Alertmanager {
    readonly route: { readonly receiver: string };
    readonly receivers: readonly {
      readonly name: string;
      readonly webhook_configs?: readonly {
        readonly url: string;
        readonly http_config: { readonly authorization: { readonly credentials_file: string } };
      }[];
    }[];
  }
  const receiverOf = (file: string) => {
    const { route, receivers } = yaml<Alertmanager>(file);
    return receivers.find(({ name }) => name === route.receiver)!;
  };

  test.each(COMPOSE)('%s: go to nobody, or with a token file to the webhook of Faultline', (compose) => {
    const there = composed(compose);
    const { secrets, ports } = there.services.alertmanager!;
    const quiet = receiverOf(fileIn(optionOf('alertmanager', compose, '--config.file')));
    expect(Object.keys(quiet)).toEqual(['name']);
    const [webhook] = receiverOf(fileIn(optionOf('alertmanager', compose, '--config.file', '/token'))).webhook_configs!;
    const { hostname, port, pathname } = new URL(webhook!.url);
    const hosts = Object.entries(there.services).filter(
      ([name, { networks }]) => name === hostname || networks?.default.aliases.includes(hostname),
    );
    expect(hosts.map(([, { build }]) => build !== undefined)).toEqual([true]);
    expect(hosts[0]![1].ports!.map((published) => published.split(':').at(-1))).toEqual([port]);
    expect(routes(endpoints).match('POST', pathname)).toMatchObject({
      found: 'route',
      params: { source: 'prometheus' },
    });
    expect(webhook!.http_config.authorization.credentials_file).toBe(`/run/secrets/${secrets![0]}`);
    expect(interpolated(there.secrets[secrets![0]!]!.file, '/token')).toBe('/token');
    expect(ports!.map((published) => published.split(':').at(-1))).toEqual(['9093']);
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
