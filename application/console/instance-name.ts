import { readInstance } from '#application/access/login.ts';
import type { Ports } from '#domain/ports/ports.ts';

const CHARACTERS = 12;

/**
 * Name that distinguishes this Faultline from others at the same host: cookies ignore ports. All its processes have the
 * same.
 */
export const instanceName = async (ports: Ports): Promise<string> => {
  const { dummyHash } = await readInstance(ports);
  return ports.crypto.sha256(`console:${dummyHash}`).slice(0, CHARACTERS);
};
