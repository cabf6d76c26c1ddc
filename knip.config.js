/**
 * Nothing is exported in vain. `knip` looks at everything: each export is imported somewhere, if only by a test, and each package is used.
 * `knip --production` looks at the product without its tests: what only a test imports does its work in its own file at least.
 * A `!` marks what is part of the product.
 */
const isProduct = process.argv.includes('--production');

/** Started by their path; threads are found where they are started. */
const SCRIPTS = [
  'bench/{backlog,baseline,cmdb-fill,cmdb-neo4j,echo,entered-files,fill,groups-fill,lookups,scoring}.ts',
  'features/*/journeys/brought.ts',
  'features/*/bench/{parts,infrastructure-fill,reports-run}.ts',
  'test/faults/chaos/{main,member}.ts',
  'test/setup/native/framework.ts',
];

/** Found by scripts and Vite, which are not looked at in production. */
const CONSOLE = ['console/{prepare.js,main.tsx}!'];

export default {
  ignoreExportsUsedInFile: isProduct,
  entry: [
    'main.ts!',
    'tools/dev.ts!',
    'tools/engines/main.ts!',
    ...(isProduct ? ['tools/package/package.ts!'] : ['test/kept/{keep,keep-engines}.ts']),
    'tools/package/{client,generate-client}.ts!',
    ...(isProduct ? CONSOLE : []),
    ...SCRIPTS,
  ],
  jest: { config: ['jest.config.js', 'test/engines/jest.config.js'] },
  vite: { config: 'console/vite.config.ts' },
  project: [
    '**/*.{ts,tsx,js,cjs}!',
    ...[
      '**/*.test.ts',
      '**/*-for-tests.ts',
      '{test,bench}/**',
      'features/*/{journeys,bench}/**',
      '*.config.js',
      '.*.cjs',
    ].map((tests) => `!${tests}!`),
  ],
  // Found by name: a target of pino, and a browser.
  ignoreDependencies: ['pino-pretty', '@sparticuz/chromium'],
  ignoreBinaries: ['mvn'],
};
