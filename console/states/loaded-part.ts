import * as text from './texts.ts';

/** A part of the console that the server does not have any more, or did not send. */
export class UnloadedPart extends Error {
  override readonly name = 'UnloadedPart';
}

/** Otherwise the router would reload the whole page by itself when a part is missing, which the user must decide. */
export const loadedPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    throw new UnloadedPart(text.partNotLoaded);
  }
};
