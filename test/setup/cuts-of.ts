import { Server } from 'node:http';
import { jest } from '@jest/globals';

/** Counts how often a stopping server reached its wait limit, and cut its connections. */
export async function cutsOf(stopping: () => Promise<unknown>): Promise<number> {
  const cut = jest.spyOn(Server.prototype, 'closeAllConnections');
  try {
    await stopping();
    return cut.mock.calls.length;
  } finally {
    cut.mockRestore();
  }
}
