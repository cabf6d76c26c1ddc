import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Types are taken away and code is compiled at the first start only. A folder of our own: what lies there is run.
enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/faultline', import.meta.url)));
const { start } = await import('#app');
const { fail, serve } = await import('#cli/serve.ts');

/** `npm start`: the server of the environment's configuration. */
serve(start).catch(fail);
