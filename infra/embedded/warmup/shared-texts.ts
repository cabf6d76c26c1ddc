/** Gives the first of equal texts for all of them, so that memory holds one. */
export const sharedTexts = (): ((text: string) => string) => {
  const texts = new Map<string, string>();
  return (text) => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
};
