import { TOKEN } from './token.ts';

/** A tenant of this id and name. */
export async function makeTenant(url: string, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ id, name: id });
  const { status } = await fetch(`${url}/api/admin/tenants`, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`Tenant ${id} could not be made: ${status}`);
}
