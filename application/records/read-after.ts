import { Fault } from '#domain/fault.ts';

/** Reads the reply of a successful change: a store that refuses the read does not fail the request. */
export const readAfter = async <T, O>(read: () => Promise<T>, otherwise: O): Promise<T | O> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Fault) return otherwise;
    throw error;
  }
};
