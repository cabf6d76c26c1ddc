import { connect } from 'node:net';

/** How long one look at an engine may take, in milliseconds. */
const PATIENCE_MS = 2_000;

/** Whether something listens on this port of 127.0.0.1. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PATIENCE_MS });
    const answer = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });

/** Whether this URL answers with a 2xx. */
export const answers = async (url: string): Promise<boolean> => {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    return false;
  }
};
