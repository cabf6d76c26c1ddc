/** Run by itself: writes a client of the OpenAPI document (first argument) into a folder; imports end with the third argument. */
import { registerHooks } from 'node:module';

/** The generator prints with the compiler's own API, which TypeScript 7 no longer has. */
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript5' : name, context) });

const [input, path, importFileExtension] = process.argv.slice(2) as [string, string, '.ts' | '.js'];
const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input,
  output: { path, importFileExtension },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  logs: { level: 'silent' },
});
