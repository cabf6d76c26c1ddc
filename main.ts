import { fail, serve } from '#infra/cli/serve.ts';

/** `npm start`: the server of the environment's configuration. */
serve().catch(fail);
