/** A part of the console that the server does not have any more, or did not send. */
export class UnloadedPart extends Error {
  override readonly name = 'UnloadedPart';
}

/** As the router would load the whole page anew by itself when a part is missing, which a person shall decide. */
export const loadedPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    throw new UnloadedPart('A part of the console could not be loaded');
  }
};
