import { Fault } from '#domain/fault.ts';

/** Reads the answer to a change that was made: the change stands, so a store that refuses does not fail the request. */
export const readAfter = async <T, O>(read: () => Promise<T>, otherwise: O): Promise<T | O> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Fault) return otherwise;
    throw error;
  }
};
