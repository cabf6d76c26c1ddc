import type { Config } from '#infra/config.ts';
import type { Backend, BackendOptions } from './backend.ts';
import { openEmbeddedBackend } from './embedded.ts';

/** The stores and the pipeline of the configured mode. The clients of the engines are half of all code, so they are loaded only there. */
export const openBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  if (config.mode === 'embedded') return openEmbeddedBackend(config, options);
  const { openDistributedBackend } = await import('./distributed.ts');
  return openDistributedBackend(config, options);
};
