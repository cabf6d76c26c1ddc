const { Visitor } = require('@swc/core/Visitor.js');

// TypeScript 7 has no compiler API, so swc reads the sources; its visitor does not know `using` yet.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

// It is not asked for markup either, which only these files have.
const swc = require('@swc/core');
const parseFileSync = swc.parseFileSync;
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });

/** Tests see everything; the rules below are about the product. */
const TESTS = '(^|/)(test|bench)/|^features/[^/]+/journeys/|\\.test\\.ts$|-for-tests\\.ts$';
/** Built by these, bundled for browsers, and served as files: only developers have its packages. */
const CONSOLE = '^(console|features/[^/]+/console)/';
const CONSOLE_BUILD = '^console/(build|vite\\.config)\\.ts$|^console/prepare\\.js$';
/** What makes the package that is published. */
const PACKAGE_BUILD = '^tools/package/';
/** What starts a process or a thread of its own, by its path. */
const ENTRIES =
  '^main\\.ts$|^cli/(cli|faultline)\\.[jt]s$|^infra/embedded/(reader|redo-log)/[a-z-]+-thread\\.ts$|^features/reports/stores/pdf/pdf-thread\\.ts$|^features/analyzer/stores/(search|infrastructure)-thread\\.ts$|^tools/engines/main\\.ts$|^console/(main\\.tsx|build\\.ts|vite\\.config\\.ts|prepare\\.js)$';
/** Types of packages, which no import names. */
const TYPES = '\\.d\\.ts$';
const FEATURES = '^features/';
/** They put the core and the list of features together. */
const STARTS = '^(app|whole)\\.ts$|^(console|cli)/features\\.ts$';
const room = (names) => `^features/[^/]+/(${names})/`;
/** The third kind of processor. */
const SINKS = '^processors/sinks/';
const NPM = '^node_modules/';

/** The one place of each package and of the node: modules that are engines of ours. */
const PLACES = {
  zod: '^(schemas|sources|api|console/api|cli/client|features/[^/]+/(schemas|http))/|^features/[^/]+/console/api\\.ts$|^infra/config[^/]*\\.ts$',
  'zod-openapi': '^api/http/openapi/',
  express: '^api/',
  helmet: '^api/',
  compression: '^api/',
  cors: '^api/',
  'swagger-ui-dist': '^api/ops/',
  pino: '^infra/logging/',
  'pino-pretty': '^infra/logging/',
  'prom-client': '^infra/metrics/',
  '@hey-api/openapi-ts': '^tools/package/',
  '@opentelemetry/api': '^infra/tracing/',
  '@opentelemetry/exporter-trace-otlp-http': '^infra/tracing/',
  '@opentelemetry/resources': '^infra/tracing/',
  '@opentelemetry/sdk-trace': '^infra/tracing/',
  jose: '^(infra/keys|features/sign-in/stores)/',
  'openid-client': '^features/sign-in/stores/',
  'rate-limiter-flexible': '^infra/limits/',
  '@redis/client': '^infra/limits/',
  openai: '^features/ai/stores/',
  '@modelcontextprotocol/server': '^features/mcp/http/',
  'date-holidays': '^features/change-risk/stores/',
  undici: '^(infra/outbound|cli)/',
  'ipaddr.js': '^infra/outbound/',
  ulid: '^infra/system/',
  'hash-wasm': '^infra/system/',
  commander: '^cli/|^features/[^/]+/cli/',
  'cli-progress': '^cli/|^features/[^/]+/cli/',
  'csv-parse': '^(features/transfer/http|cli)/',
  'csv-stringify': '^features/(transfer/http|reports/stores)/',
  pdfmake: '^features/reports/stores/',
  fontkit: '^features/reports/stores/',
  nodemailer: '^infra/mail/',
  'ical.js': '^features/on-call/stores/',
  'cli-table3': '^cli/|^features/[^/]+/cli/',
  saxes: '^features/discovery/cli/',
  yaml: '^features/(topology-sources|silences)/cli/',
  '@elastic/elasticsearch': '^infra/elasticsearch/',
  'neo4j-driver': '^infra/neo4j/',
  kafkajs: '^infra/kafka/',
  '@kafkajs/confluent-schema-registry': '^infra/kafka/',
  avsc: '^infra/kafka/',
  react: CONSOLE,
  'react-dom': '^console/main\\.tsx$',
  '@mantine/core': CONSOLE,
  '@mantine/hooks': CONSOLE,
  '@mantine/notifications': '^console/(main\\.tsx|frame/)',
  '@mantine/spotlight': '^console/(main\\.tsx|frame/)',
  '@tanstack/react-router': CONSOLE,
  '@tanstack/react-query': CONSOLE,
  '@tanstack/react-virtual': '^console/grid/',
  cytoscape: '^console/maps/',
  'cytoscape-dagre': '^console/maps/',
  uplot: '^console/components/',
  'eventsource-parser': '^console/api/',
  vite: `${CONSOLE_BUILD}|${PACKAGE_BUILD}`,
  '@vitejs/plugin-react': CONSOLE_BUILD,
};
const CORE_PLACES = {
  sqlite: '^infra/embedded/',
  worker_threads: '^infra/(embedded/|start-thread\\.ts)|^features/(reports|analyzer)/stores/',
};

const literal = (text) => text.replaceAll('.', '\\.');
const onlyIn = (name, place, path) => ({
  name: `only-in-place-${name}`,
  comment: `Only files that match ${place} import ${name} (its place in .dependency-cruiser.cjs).`,
  severity: 'error',
  from: { pathNot: [place, TESTS] },
  to: { path },
});

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const product = (path, ...not) => ({ path, pathNot: [TESTS, ...not] });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Modules of a cycle can only be understood together.', {}, { circular: true }),
    rule(
      'no-barrels',
      'A name has one address: no index files.',
      {},
      { path: '(^|/)index\\.[cm]?[jt]sx?$', pathNot: NPM },
    ),
    rule('no-re-exports', 'A name has one address: no `export … from`.', {}, { dependencyTypes: ['export'] }),
    rule('no-unresolvable', 'Every import leads to a file or a package.', {}, { couldNotResolve: true }),
    rule(
      'no-orphans',
      'No file imports this one, and it imports none.',
      { orphan: true, pathNot: [ENTRIES, TESTS, TYPES] },
      {},
    ),
    rule(
      'no-dead-modules',
      'No import leads here from main.ts or the command line: delete the file, or add it to the list that it belongs to (CONTRIBUTING.md).',
      { path: ENTRIES },
      {
        path: '^(domain|schemas|sources|processors|application|api|infra|features|cli|console)/.*\\.tsx?$',
        pathNot: [TESTS, ENTRIES, TYPES],
        reachable: false,
      },
    ),
    rule(
      'no-tests-in-product',
      'The product runs without its tests.',
      { pathNot: TESTS },
      { path: TESTS, pathNot: NPM },
    ),
    rule(
      'no-development-packages-in-product',
      'What only developers have installed is not there in production.',
      { pathNot: [TESTS, CONSOLE, PACKAGE_BUILD, '\\.config\\.js$', '^\\.dependency-cruiser\\.cjs$'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
    ),
    rule('domain-sees-domain', 'Rules are pure: no package, no node: module.', product('^domain/'), {
      pathNot: '^domain/',
    }),
    rule(
      'rules-see-rules',
      'Rules of features are pure as those of the core: no package, no node: module.',
      product(room('rules')),
      { pathNot: ['^domain/', room('rules')] },
    ),
    rule(
      'schemas-of-features-see-rules-and-schemas',
      'Wire contracts are values: they import rules, schemas and zod only.',
      product(room('schemas')),
      { pathNot: ['^(domain|schemas)/', room('rules|schemas'), `${NPM}zod/`] },
    ),
    rule(
      'use-cases-see-rules-and-schemas',
      'A use case works through ports and knows no protocol: no package and no node: module.',
      product(room('use-cases')),
      { pathNot: ['^(domain|sources|schemas|application)/', room('rules|schemas|use-cases')] },
    ),
    rule(
      'http-sees-no-stores',
      'Endpoints work through ports: they see neither stores, console nor command line.',
      product(room('http')),
      { path: [room('stores|console|cli'), '^(infra|processors|console)/', '^(app|main|whole)\\.ts$'] },
    ),
    rule('stores-see-no-use-cases', 'An adapter does not know who calls it.', product(room('stores')), {
      path: [room('use-cases|http|console|cli'), '^(api|application|processors|console)/', '^(app|main|whole)\\.ts$'],
    }),
    rule(
      'schemas-see-sources-and-zod',
      'Wire contracts are values: they import domain/, sources/, schemas/ and zod only.',
      product('^schemas/'),
      { pathNot: ['^(domain|sources|schemas)/', `${NPM}zod/`] },
    ),
    rule(
      'sources-see-domain-and-zod',
      'A source is a value: it imports domain/, sources/ and zod only.',
      product('^sources/'),
      { pathNot: ['^(domain|sources)/', `${NPM}zod/`] },
    ),
    rule(
      'sources-see-no-other-source',
      'What two monitors share lies in sources/kit/.',
      product('^sources/([^/]+)/', '^sources/kit/'),
      { path: '^sources/[^/]+/', pathNot: '^sources/(kit|$1)/' },
    ),
    rule(
      'processors-see-domain-and-schemas',
      'A processor never sees an engine: it imports domain/, schemas/ and processors/ only.',
      product('^processors/', SINKS),
      { pathNot: '^(domain|schemas|processors)/' },
    ),
    rule(
      'sinks-see-use-cases',
      'A sink works through ports, as use cases do: it imports domain/, schemas/, application/ and processors/ only.',
      product(SINKS),
      { pathNot: '^(domain|schemas|application|processors)/' },
    ),
    rule(
      'application-sees-domain-and-schemas',
      'A use case works through ports and knows no protocol: it imports domain/, sources/, schemas/ and application/ only, no package and no node: module.',
      product('^application/'),
      { pathNot: '^(domain|sources|schemas|application)/' },
    ),
    rule(
      'api-areas-see-no-other-area',
      'What two areas share is a use case, or belongs to all of HTTP.',
      product('^api/([^/]+)/', '^api/(http|surfaces)/'),
      { path: '^api/', pathNot: '^api/(http|surfaces|$1)/' },
    ),
    rule(
      'api-sees-no-infra',
      'Endpoints work through ports: they import neither infra/ nor processors/.',
      product('^api/'),
      { path: '^(infra|processors)/|^(app|main|whole)\\.ts$' },
    ),
    rule(
      'infra-sees-no-sibling',
      'One folder per outside thing.',
      product('^infra/([^/]+)/', '^infra/backends/', ENTRIES),
      { path: '^infra/[^/]+/', pathNot: '^infra/$1/' },
    ),
    rule(
      'cli-is-a-client',
      'The command line speaks to a server over HTTP: it sees schemas, and of infra/ only the files that lie there directly.',
      product('^cli/', ENTRIES, STARTS),
      { path: '^(application|api|processors|features|console|infra/[^/]+)/' },
    ),
    rule('infra-sees-no-api', 'An adapter does not know who calls it.', product('^infra/', ENTRIES), {
      path: '^(api|application)/|^(app|main|whole)\\.ts$',
    }),
    rule(
      'config-is-for-the-composition',
      'Whoever needs a setting is given it.',
      {
        pathNot: [
          TESTS,
          ENTRIES,
          '^app\\.ts$',
          '^cli/',
          '^infra/backends/',
          '^infra/[^/]+\\.ts$',
          '^features/feature\\.ts$',
          room('cli'),
        ],
      },
      { path: '^infra/config[^/]*\\.ts$' },
    ),
    rule(
      'core-sees-no-feature',
      'A feature can be taken out: the core gets what it needs of features as values, from the lists.',
      { pathNot: [TESTS, FEATURES, STARTS] },
      { path: FEATURES },
    ),
    rule(
      'only-entries-see-app',
      'Only app.ts knows everything.',
      { pathNot: [TESTS, ENTRIES, '^app\\.ts$'] },
      { path: '^(app|whole)\\.ts$' },
    ),
    rule(
      'console-sees-domain-and-schemas',
      'The console runs in browsers: it imports domain/, types of schemas/, console/ and packages only, no node: module.',
      product(CONSOLE, CONSOLE_BUILD),
      { pathNot: ['^(domain|schemas)/', room('rules|schemas'), CONSOLE, NPM] },
    ),
    rule('nobody-sees-console', 'The console is served as files.', { pathNot: [TESTS, CONSOLE] }, { path: CONSOLE }),
    rule('nobody-sees-main', 'main.ts is where a process starts.', {}, { path: '^main\\.ts$' }),
    rule(
      'every-package-has-a-place',
      'A new package gets a line in PLACES.',
      { pathNot: [TESTS, '\\.config\\.js$', '^\\.dependency-cruiser\\.cjs$'] },
      { path: NPM, pathNot: `${NPM}(${Object.keys(PLACES).map(literal).join('|')})/` },
    ),
    ...Object.entries(PLACES).map(([name, place]) => onlyIn(name, place, `${NPM}${literal(name)}/`)),
    ...Object.entries(CORE_PLACES).map(([name, place]) => onlyIn(`node-${name}`, place, `^(node:)?${name}$`)),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: NPM },
    exclude: { path: '^console/dist' },
    // A copy of the tree may have its packages beside another one.
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
