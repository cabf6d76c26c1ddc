import type { RegistryOptions } from './registry.ts';

const TIMEOUT_MS = 2_000;

/** The version that a schema has under its subject; null when the registry does not say. */
export const schemaVersion = async (
  { url, auth }: RegistryOptions,
  subject: string,
  schema: string,
): Promise<number | null> => {
  const headers: Record<string, string> = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
  if (auth !== undefined)
    headers.authorization = `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
  try {
    const address = `${url}/subjects/${encodeURIComponent(subject)}`;
    const init = { method: 'POST', headers, body: JSON.stringify({ schema }), signal: AbortSignal.timeout(TIMEOUT_MS) };
    const reply = await fetch(address, init);
    if (!reply.ok) return null;
    const { version } = (await reply.json()) as { version?: unknown };
    return typeof version === 'number' ? version : null;
  } catch {
    return null;
  }
};
