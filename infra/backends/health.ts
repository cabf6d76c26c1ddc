import type { HealthCheck, ProcessHealth } from '#domain/ports/health.ts';
import type { Backend } from './backend.ts';

/** Health of the backend; `more` are checks that never make a process unready. */
export const healthOf =
  (backend: Pick<Backend, 'checks'>, more: () => readonly HealthCheck[]) => async (): Promise<ProcessHealth> => {
    const checks = await backend.checks();
    return {
      ready: checks.every(({ ok, advisory }) => ok || advisory === true),
      degraded: checks.some(({ ok }) => !ok),
      checks: [...checks.map(({ name, ok, detail }) => ({ name, ok, detail })), ...more()],
    };
  };
