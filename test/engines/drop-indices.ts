import { until } from '#test/setup/until.ts';
import { addresses } from './addresses.ts';

/** Deletes all indices of a prefix, and waits until none is listed: a busy server refuses a deletion, or leaves a part of it undone. */
export async function dropIndices(prefix: string): Promise<void> {
  const { elasticsearch } = addresses();
  let refusal = '';
  const isEmpty = async (): Promise<boolean> => {
    const listed = await fetch(`${elasticsearch}/${prefix}-*`);
    if (!listed.ok) throw new Error(`The indices could not be listed: ${await listed.text()}`);
    const indices = Object.keys((await listed.json()) as object);
    if (indices.length === 0) return true;
    const reply = await fetch(`${elasticsearch}/${indices.join(',')}?ignore_unavailable=true`, { method: 'DELETE' });
    if (!reply.ok) refusal = await reply.text();
    return false;
  };
  await until(isEmpty).catch((error: Error) => {
    throw new Error(`The indices of ${prefix} could not be deleted: ${refusal || error.message}`);
  });
}
