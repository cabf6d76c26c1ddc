import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

/** The server that `npm run console` shows the data of. */
const SERVER = 'http://127.0.0.1:8080';
const SERVED = ['/api', '/v1', '/sse', '/docs', '/openapi.json', '/asyncapi.json', '/livez', '/readyz'];

/** Maps and charts load after the page that shows them. */
const LOADED_LATER = /[\\/]maps[\\/]|uplot|cytoscape|graphology/;

/** The server writes this into the page at each load (`api/ops/console/`): here the page has one depth. */
const servedAt = (base: string): Plugin => ({
  name: 'base-of-development',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('<base href="./">', `<base href="${base}">`),
});

/**
 * Few requests a load, and no page above its budget: what every page needs is one file, what many pages share another, lists a third.
 * What fewer share stays as it is split by itself.
 */
const CHUNKS = [
  { name: 'index', tags: ['$initial' as const], priority: 3 },
  { name: 'shared', test: (id: string) => !LOADED_LATER.test(id), minShareCount: 5, priority: 2 },
  { name: 'lists', test: /[\\/]console[\\/]grid[\\/]/, minShareCount: 2, priority: 1 },
];

export default defineConfig(({ command, mode }) => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const target = loadEnv(mode, folder, 'FAULTLINE_').FAULTLINE_URL ?? SERVER;
  return {
    root: folder,
    // Addresses are relative to the page's <base>, so that any sub-path works.
    base: command === 'build' ? './' : '/ui/',
    publicDir: false,
    plugins: [react(), servedAt('/ui/')],
    html: { cspNonce: 'NONCE' },
    build: {
      target: 'es2023',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    },
    server: {
      host: '127.0.0.1',
      port: 5173,
      open: false,
      proxy: Object.fromEntries(SERVED.map((path) => [path, { target }])),
    },
  };
});
