import { start } from '#app';
import { openModelStub } from '#features/ai/journeys/model-stub.ts';
import { readConfig } from '#infra/config.ts';
import { TOKEN } from '#test/setup/test-app.ts';
import type { virtualTime } from '#test/setup/virtual-time.ts';

/** The service in virtual time, in memory, and the model that it asks. */
export async function startWithModel(
  { clock, after }: ReturnType<typeof virtualTime>,
  env: Readonly<Record<string, string>> = { OPENAI_MODEL: 'stub' },
) {
  const stub = await openModelStub(after);
  const config = readConfig({
    PORT: '0',
    FAULTLINE_DATA: ':memory:',
    FAULTLINE_LOG_LEVEL: 'silent',
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    OPENAI_BASE_URL: stub.url,
    ...env,
  });
  const app = await start(config, { clock, after });
  const stop = async (): Promise<void> => {
    await app.stop();
    await stub.close();
  };
  return { stub, app, stop };
}
