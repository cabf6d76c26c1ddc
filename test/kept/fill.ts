import { START, type TestApp } from '#test/setup/test-app.ts';

/** A group on a chain of CIs, a suppressed event, a silence, a user and a webhook. */
export const fill = async (send: TestApp['send']): Promise<void> => {
  const made = async (path: string, body: unknown): Promise<void> => {
    const { status, body: reply } = await send('POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`);
  };

  const cis = ['switch', 'server', 'database', 'application'] as const;
  const ids: string[] = [];
  for (const type of cis) {
    const { body } = await send('POST', '/v1/cmdb/ci', { name: `${type}-1`, type });
    ids.push(body.id);
  }
  for (const [i, id] of ids.slice(1).entries())
    await made('/v1/cmdb/relationships', { source_ci: id, target_ci: ids[i], type: 'depends_on' });
  await made('/api/events/silences', {
    reason: 'Kept',
    matcher: { source: 'kept', title: 'Ignored' },
    endsAt: new Date(START + 86_400_000).toISOString(),
  });
  await made('/api/admin/users', { username: 'ann', password: 'a password of ann', name: 'Ann', role: 'operator' });
  await made('/api/webhooks', { name: 'kept', url: 'https://example.com/hook', events: ['report.completed'] });
  const event = (n: number, hostname: string, title: string) => ({
    source: 'kept',
    sourceId: `kept-${n}`,
    severity: 'critical',
    title,
    hostname,
    timestamp: START - 60_000 + n,
  });
  await made('/api/events/bulk-ingest', {
    events: [...cis.map((type, n) => event(n, `${type}-1`, `${type} is down`)), event(9, 'quiet-1', 'Ignored')],
  });
};
